# SPDX-License-Identifier: MIT
"""Lists the runs in a sweep's folder and removes those that the last sweep does not need.

If the config, guest or simulator of a point has changed, the sweep makes a new run and keeps the
old one, since the user may return to the earlier state. Old runs stay until `symlab gc`. The last
sweep wrote <name>-host.csv, which names the run of each of its points.
"""

import fcntl
import os
import shutil
from dataclasses import dataclass, field
from pathlib import Path

from symlab.errors import OutputError, UserError
from symlab.runs.grid import Point
from symlab.runs.store import FAILED, PARTIAL, Record, Store, is_finished
from symlab.runs.table import read_csv


@dataclass(frozen=True)
class Inventory:
    """The folders below runs/ by state. `holder`: process id of a sweep in progress, or ""."""

    store: Store
    needed: list[Path] = field(default_factory=list)  # finished, belongs to the last sweep
    older: list[Path] = field(default_factory=list)  # finished, of no point of the last sweep
    failed: list[Path] = field(default_factory=list)
    partial: list[Path] = field(default_factory=list)  # in progress, or interrupted
    damaged: list[Path] = field(default_factory=list)  # finished once, but now unreadable
    missing: list[str] = field(default_factory=list)  # points of the last sweep without a run
    holder: str = ""

    @property
    def unneeded(self) -> list[Path]:
        return [*self.older, *self.failed, *self.partial, *self.damaged]

    def label(self, run: Path) -> str:
        """The run's coordinates, `processors=4 lock=read`, or its folder's name if unknown."""
        record: Record | None = self.store.records().get(run.name)
        return Point(record.coordinates, {}).label if record else run.name


def inventory(out: Path) -> Inventory:
    """Lists the runs below the results folder `out` without changing them.

    Raises UserError if no sweep has been run into `out`.
    """
    store = Store(out)
    if not store.runs.is_dir():
        raise UserError(f"{out}: has no folder runs; give the folder of a sweep's results")
    wanted = _runs_of_last_sweep(out)
    found = Inventory(store, holder=_holder(out))
    for run in sorted(path for path in store.runs.iterdir() if path.is_dir()):
        if run.name.endswith(PARTIAL):
            found.partial.append(run)
        elif run.name.endswith(FAILED):
            found.failed.append(run)
        elif not is_finished(run):
            found.damaged.append(run)
        else:
            (found.needed if run.name in wanted else found.older).append(run)
    found.missing.extend(sorted(wanted - {run.name for run in [*found.needed, *found.failed]}))
    return found


def collect(out: Path, dry: bool = False) -> dict[Path, int]:
    """Removes the runs that the last sweep into `out` does not need; with `dry`, only lists them.

    Returns folder -> size in bytes. Raises UserError if a sweep is running there or none has
    ended there, OutputError if a folder cannot be removed.
    """
    if not _runs_of_last_sweep(out):
        raise UserError(
            f"{out}: there is no table that says which runs are needed; run the sweep again"
        )
    with Store(out).locked():
        unneeded = {run: bytes_of([run]) for run in inventory(out).unneeded}
        for run in [] if dry else unneeded:
            try:
                shutil.rmtree(run)
            except OSError as error:
                raise OutputError(f"{run}: cannot be removed: {error.strerror}") from error
        return unneeded


def bytes_of(runs: list[Path]) -> int:
    """Sum of the file sizes of `runs`. Files hard-linked into other sweeps' folders count fully."""
    return sum(file.stat().st_size for run in runs for file in run.rglob("*") if file.is_file())


def _runs_of_last_sweep(out: Path) -> set[str]:
    """Names of the runs in the tables <name>-host.csv of the last sweep into `out`.

    A sweep whose config is in a group writes its table into the parent of `out`.
    """
    out = out.absolute()
    tables = [*out.glob("*-host.csv"), out.parent / f"{out.name}-host.csv"]
    frames = [read_csv(table) for table in tables if table.is_file()]
    return {str(run) for frame in frames if "run" in frame for run in frame["run"].dropna()}


def _holder(out: Path) -> str:
    try:
        descriptor = os.open(out / ".lock", os.O_RDONLY)
    except OSError:
        return ""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
        return ""
    except BlockingIOError:
        return os.pread(descriptor, 32, 0).decode(errors="replace").strip() or "?"
    finally:
        os.close(descriptor)
