# SPDX-License-Identifier: MIT
"""The folder of a sweep's runs. Finished runs stay, and one sweep at a time writes.

    runs/<name>           a finished run; its files never change. <name> is a hash of all inputs,
                          so sweeps into neighbouring folders share runs with equal names
    runs/<name>.failed    the last failure of that run; the next sweep tries the run again
    runs/<name>.partial   a run in progress; the next sweep removes those of a killed sweep

One rename makes a run finished, so a kill at any instant leaves the run whole or absent.
"""

import contextlib
import fcntl
import hashlib
import json
import math
import os
import re
import shutil
import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, fields
from functools import cached_property
from pathlib import Path
from typing import Any

from symlab.errors import OutputError, UserError
from symlab.files import read_json
from symlab.results.manifest import flaw
from symlab.runs.settings import Scalar

RECORD = "point.json"
RECORD_VERSION = 1
PARTIAL = ".partial"
FAILED = ".failed"
NAME_DIGITS = 20  # hexadecimal, of the name of a run
NAME = re.compile(f"[0-9a-f]{{{NAME_DIGITS}}}")
LOCK_PATIENCE_S = 2.0  # host time; the kernel may take so long to end the runs of a killed sweep

# Tables of the config that determine how results are grouped and shown, but no result.
IGNORED_TABLES = ("sweep.", "figure.")


@dataclass(frozen=True)
class Identity:
    """Everything that determines a run: complete config, guest image, simulator binary, and the
    files of guest.stdin and guest.files if there are some."""

    config: dict[str, Any]
    image_sha256: str | None
    simulator_sha256: str
    stdin_sha256: str | None = None
    files_sha256: dict[str, str] = field(default_factory=dict)  # by the path inside

    @staticmethod
    def of(
        resolved: Mapping[str, Any],
        image: str | None,
        simulator: str,
        stdin: str | None = None,
        files: dict[str, str] | None = None,
    ) -> "Identity":
        """`resolved`: complete config by dotted key; the others: SHA-256 of the files."""
        kept = {k: v for k, v in resolved.items() if not k.startswith(IGNORED_TABLES)}
        return Identity(kept, image, simulator, stdin, files or {})

    @cached_property
    def name(self) -> str:
        """The run's folder name: 80 bits, in hex, of SHA-256 over this record as canonical JSON."""
        content = {one.name: getattr(self, one.name) for one in fields(self)}
        text = json.dumps(content, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()[:NAME_DIGITS]


@dataclass(frozen=True)
class Record:
    """The content of point.json, which the lab adds to the files of a run."""

    coordinates: dict[str, Scalar]
    identity: Identity
    status: str
    exit_code: int
    message: str


class Store:
    """The folder `runs` below `out`. Writers must hold the lock that `locked` gives."""

    def __init__(self, out: Path) -> None:
        self.out = out
        self.runs = out / "runs"

    @contextlib.contextmanager
    def locked(self) -> Iterator[int]:
        """Context manager that holds the folder's lock and gives its file descriptor.

        The simulator processes inherit the descriptor. The kernel releases the flock when the
        last process with the descriptor ends. So kill -9 leaves no stale lock, and a run that
        outlives its sweep still keeps other sweeps out.
        Raises OutputError if the folder cannot be written, UserError if another sweep has it.
        """
        try:
            self.runs.mkdir(parents=True, exist_ok=True)
            descriptor = os.open(self.out / ".lock", os.O_RDWR | os.O_CREAT, 0o644)
        except OSError as error:
            raise OutputError(f"{self.out}: cannot be written: {error.strerror}") from error
        try:
            self._take(descriptor)
            yield descriptor
        finally:
            os.close(descriptor)

    def _take(self, descriptor: int) -> None:
        deadline = time.monotonic() + LOCK_PATIENCE_S
        while True:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() >= deadline:
                    holder = os.pread(descriptor, 32, 0).decode(errors="replace").strip()
                    raise UserError(
                        f"{self.out}: process {holder or '?'} is sweeping into this folder; "
                        "wait for it, or choose another with --out"
                    ) from None
                time.sleep(0.05)
        with contextlib.suppress(OSError):  # only the message above needs the process number
            os.truncate(descriptor, 0)
            os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)

    def took_s(self, run: Path) -> float | None:
        """Host seconds that the finished run in this folder took; None if not known."""
        found = (read_json(run / "host.json") or {}).get("wall_s")
        return found if isinstance(found, int | float) and math.isfinite(found) else None

    def neighbour(self, identity: Identity) -> Path | None:
        """The finished run with this identity of a sweep in a neighbouring folder, or None."""
        try:
            found = sorted(self.out.parent.glob(f"*/runs/{identity.name}"))
        except OSError:  # a folder beside this one that may not be read
            return None
        return next((run for run in found if _is_run_of(identity, run)), None)

    def adopt(self, run: Path, coordinates: dict[str, Scalar], identity: Identity) -> bool:
        """Takes the finished run in the folder `run`, which is of another sweep. Finished runs
        never change, so their files are hard-linked; they are copied if the file system has no hard
        links. Returns whether that was possible."""
        with contextlib.suppress(OSError):  # removed meanwhile, disk full: then we run it
            partial = self.begin(run.name)
            for file in run.rglob("*"):
                to = partial / file.relative_to(run)
                if file == run / RECORD or file.is_dir():
                    continue
                to.parent.mkdir(parents=True, exist_ok=True)
                try:
                    os.link(file, to)
                except OSError:
                    shutil.copyfile(file, to)
            self.commit(run.name, Record(coordinates, identity, "finished", 0, ""))
            return True
        return False

    def leftovers(self, remove: bool) -> set[str]:
        """The names of the runs of which a killed sweep left a partial folder, which `remove`
        removes."""
        left = [path for path in self.runs.glob(f"*{PARTIAL}") if path.is_dir()]
        for path in left if remove else []:
            _remove(path)
        return {path.name.removesuffix(PARTIAL) for path in left}

    def records(self) -> dict[str, Record]:
        """Folder name -> record of each run in this folder, finished or failed, in name order."""
        folders = (path for path in sorted(self.runs.glob("*")) if path.is_dir())
        found = {path.name: _record_of(read_json(path / RECORD)) for path in folders}
        return {name: record for name, record in found.items() if record is not None}

    def begin(self, name: str) -> Path:
        """Makes the empty partial folder that the simulator will write into. Raises OSError."""
        folder = self.partial(name)
        if os.path.lexists(folder):
            _remove(folder)
        folder.mkdir()
        return folder

    def partial(self, name: str) -> Path:
        return self.runs / (name + PARTIAL)

    def commit(self, name: str, record: Record) -> Path:
        """Renames the partial folder to that of a finished run or of a failure, by the status.
        Returns the new path. Raises OSError."""
        partial = self.partial(name)
        succeeded = record.status == "finished"
        final = self.runs / (name if succeeded else name + FAILED)
        text = json.dumps({"schema_version": RECORD_VERSION, **asdict(record)}, indent=1)
        with (partial / RECORD).open("w", encoding="utf-8") as file:
            print(text, file=file, flush=True)
            os.fsync(file.fileno())
        if os.path.lexists(final):  # a damaged run or an earlier failure
            _remove(final)
        partial.rename(final)
        failed = self.runs / (name + FAILED)
        if succeeded and os.path.lexists(failed):
            _remove(failed)
        return final


def damage(run: Path) -> str | None:
    """What is wrong with the finished run in the folder `run`, which must be made again: a file's
    name and how it is damaged. None if nothing is."""
    wrong = flaw(run)
    if wrong is None and _record_of(read_json(run / RECORD)) is None:
        wrong = f"{RECORD} is missing or damaged"
    return wrong


def _is_run_of(identity: Identity, run: Path) -> bool:
    """Whether the folder `run` has a finished run with this identity whose files are whole."""
    record = _record_of(read_json(run / RECORD))
    return record is not None and record.identity == identity and damage(run) is None


def _record_of(value: dict[str, Any] | None) -> Record | None:
    if value is None or value.pop("schema_version", None) != RECORD_VERSION:
        return None
    try:
        record = Record(**{**value, "identity": Identity(**value["identity"])})
    except (KeyError, TypeError):
        return None
    texts = isinstance(record.status, str) and isinstance(record.message, str)
    tables = isinstance(record.coordinates, dict) and isinstance(record.identity.config, dict)
    scalars = tables and all(isinstance(v, Scalar) for v in record.coordinates.values())
    return record if texts and scalars else None


def _remove(folder: Path) -> None:
    """Removes a run's folder. The record goes first, so a half-removed folder is not valid."""
    if folder.is_symlink() or not folder.is_dir():  # of a damaged disk or a careless hand
        folder.unlink()
        return
    if not (folder / RECORD).is_dir():
        (folder / RECORD).unlink(missing_ok=True)
    shutil.rmtree(folder)
