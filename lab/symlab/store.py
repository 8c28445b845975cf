# SPDX-License-Identifier: MIT
"""The folder of runs: what is finished stays, what was killed goes, one writer at a time.

    runs/<name>           finished; never changed again. <name> hashes all that determines it, so
                          a run that a sweep beside this one has finished is taken over
    runs/<name>.failed    the last failure of that run; tried again by the next sweep
    runs/<name>.partial   being written; a killed sweep leaves it and the next removes it

A finished run appears by one rename, so a kill at any instant leaves it whole or absent.
"""

import contextlib
import fcntl
import hashlib
import json
import os
import shutil
import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from symlab.errors import OutputError, UserError
from symlab.grid import Scalar
from symlab.simulator import read_json

RECORD = "point.json"
RECORD_VERSION = 1
PARTIAL = ".partial"
FAILED = ".failed"
LOCK_PATIENCE_S = 2.0  # host time the kernel may need to end the runs of a killed sweep

# Keys that say how a result is shown, not what it is.
IGNORED_TABLES = ("sweep.", "figure.")


@dataclass(frozen=True)
class Identity:
    """All that determines a run: its complete config, its program, the simulator."""

    config: dict[str, Any]
    image_sha256: str | None
    simulator_sha256: str

    @staticmethod
    def of(resolved: dict[str, Any], image: str | None, simulator: str) -> "Identity":
        kept = {k: v for k, v in resolved.items() if not k.startswith(IGNORED_TABLES)}
        return Identity(kept, image, simulator)

    @property
    def name(self) -> str:
        """Folder name: 80 bits of SHA-256 over the canonical JSON of this record."""
        text = json.dumps(asdict(self), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()[:20]


@dataclass(frozen=True)
class Record:
    """What the lab writes beside a run's own files."""

    coordinates: dict[str, Scalar]
    identity: Identity
    status: str
    exit_code: int
    message: str


class Store:
    """A sweep's `runs` folder, to be used while `locked()` is held."""

    def __init__(self, out: Path) -> None:
        self.out = out
        self.runs = out / "runs"

    @contextlib.contextmanager
    def locked(self) -> Iterator[int]:
        """Holds the folder's lock and gives its file descriptor, which runs inherit.

        flock ends with the last process that holds the descriptor, so kill -9 leaves no stale
        lock, while a run that outlives its sweep still keeps others out.
        Raises OutputError if the folder cannot be written, UserError if another sweep holds it.
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
        with contextlib.suppress(OSError):  # the number only serves the message above
            os.truncate(descriptor, 0)
            os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)

    def finished(self, name: str) -> bool:
        """Whether the run is there and readable; a damaged one is run again."""
        return is_finished(self.runs / name)

    def adopt(self, name: str, coordinates: dict[str, Scalar], identity: Identity) -> Path | None:
        """Takes over a finished run of this name from a sweep whose folder lies beside this one's.

        The files are the other's, by hard link where the file system has them, since a finished
        run never changes. Returns the other sweep's folder; None if there is none to take.
        """
        for found in sorted(self.out.parent.glob(f"*/runs/{name}")):
            if not is_finished(found):
                continue
            with contextlib.suppress(OSError):  # removed meanwhile, a full disk: then it is run
                partial = self.begin(name)
                for file in found.iterdir():
                    if file.name != RECORD:
                        _link_or_copy(file, partial / file.name)
                self.commit(name, Record(coordinates, identity, "finished", 0, ""))
                return found.parent.parent
        return None

    def remove_leftovers(self) -> set[str]:
        """Removes what killed sweeps left; returns the names of those runs."""
        left = [path for path in self.runs.glob(f"*{PARTIAL}") if path.is_dir()]
        for path in left:
            _remove(path)
        return {path.name.removesuffix(PARTIAL) for path in left}

    def records(self) -> dict[str, Record]:
        """Folder name -> record of every run that is there, in name order."""
        found = {}
        for path in sorted(self.runs.iterdir()):
            record = _record_of(read_json(path / RECORD)) if path.is_dir() else None
            if record is not None:
                found[path.name] = record
        return found

    def begin(self, name: str) -> Path:
        """An empty folder for the simulator to write into. Raises OSError."""
        folder = self.partial(name)
        if folder.exists():
            _remove(folder)
        folder.mkdir()
        return folder

    def partial(self, name: str) -> Path:
        """Where a run of this name is being written."""
        return self.runs / (name + PARTIAL)

    def commit(self, name: str, record: Record) -> Path:
        """Makes the partial folder the finished run or its last failure. Raises OSError."""
        partial = self.partial(name)
        succeeded = record.status == "finished"
        final = self.runs / (name if succeeded else name + FAILED)
        text = json.dumps({"schema_version": RECORD_VERSION, **asdict(record)}, indent=1)
        with (partial / RECORD).open("w", encoding="utf-8") as file:
            file.write(text + "\n")
            file.flush()
            os.fsync(file.fileno())
        if final.exists():  # a damaged run or an earlier failure
            _remove(final)
        partial.rename(final)
        failed = self.runs / (name + FAILED)
        if succeeded and failed.exists():
            _remove(failed)
        return final


def is_finished(run: Path) -> bool:
    """Whether a run's folder is whole."""
    return read_json(run / "summary.json") is not None and read_json(run / RECORD) is not None


def write_atomically(path: Path, data: bytes) -> None:
    """Replaces `path` in one step. Raises OutputError; the old file then stays."""
    temporary = path.with_name(f".{path.name}.tmp")
    try:
        temporary.write_bytes(data)
        temporary.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise OutputError(f"{path}: cannot be written: {error.strerror}") from error


def write_all(folder: Path, files: Mapping[str, bytes]) -> list[Path]:
    """The files of these names in `folder`, which is made if need be. Raises OutputError."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"{folder}: cannot be written: {error.strerror}") from error
    for name, data in files.items():
        write_atomically(folder / name, data)
    return [folder / name for name in files]


def _record_of(value: dict[str, Any] | None) -> Record | None:
    if value is None or value.pop("schema_version", None) != RECORD_VERSION:
        return None
    try:
        return Record(**{**value, "identity": Identity(**value["identity"])})
    except (KeyError, TypeError):
        return None


def _link_or_copy(file: Path, to: Path) -> None:
    try:
        os.link(file, to)
    except OSError:
        shutil.copyfile(file, to)


def _remove(folder: Path) -> None:
    """Removes a folder; a half-removed one must not pass for a run, so the record goes first."""
    (folder / RECORD).unlink(missing_ok=True)
    shutil.rmtree(folder)
