# SPDX-License-Identifier: MIT
"""What lies in a sweep's folder of runs, and what of it nothing needs any more.

Of a run that was made again, since its config, program or simulator had changed, the older one
stays until somebody says otherwise: it may be what a sweep of before needs again. The last sweep
left <name>-host.csv, which names the run of each of its points.
"""

import fcntl
import os
import shutil
from dataclasses import dataclass, field
from pathlib import Path

import pandas as pd

from symlab.errors import OutputError, UserError
from symlab.grid import short_names
from symlab.store import FAILED, PARTIAL, Record, Store, is_finished


@dataclass(frozen=True)
class Inventory:
    """Folders below runs/, by what they are. `holder`: process that sweeps here now, or ""."""

    store: Store
    needed: list[Path] = field(default_factory=list)  # finished, of the last sweep
    older: list[Path] = field(default_factory=list)  # finished, of none of its points
    failed: list[Path] = field(default_factory=list)
    partial: list[Path] = field(default_factory=list)  # being written, or interrupted
    damaged: list[Path] = field(default_factory=list)  # not whole, though it was finished
    missing: list[str] = field(default_factory=list)  # points of the last sweep without a run
    holder: str = ""

    @property
    def unneeded(self) -> list[Path]:
        """What `symlab gc` removes."""
        return [*self.older, *self.failed, *self.partial, *self.damaged]

    def label(self, run: Path) -> str:
        """`processors=4 lock=read`, or the folder's name if nothing says more."""
        record: Record | None = self.store.records().get(run.name)
        if record is None:
            return run.name
        names = short_names(record.coordinates)
        return " ".join(f"{names[key]}={value}" for key, value in record.coordinates.items())


def inventory(out: Path) -> Inventory:
    """Looks and changes nothing. Raises UserError if no sweep has been run into `out`."""
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
    there = {run.name for run in [*found.needed, *found.failed]}
    found.missing.extend(sorted(name for name in wanted if name not in there))
    return found


def collect(out: Path, dry: bool = False) -> dict[Path, int]:
    """Removes what the last sweep into `out` does not need, or with `dry` only says what that is:
    folder -> bytes.

    Raises UserError if a sweep is at work there or none has ended there, OutputError if something
    cannot be removed.
    """
    if not _runs_of_last_sweep(out):
        raise UserError(
            f"{out}: no table of a sweep says which runs are needed; sweep into it once more"
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
    """On the host's disk. Files that another sweep's folder has too count as if they did not."""
    return sum(file.stat().st_size for run in runs for file in run.rglob("*") if file.is_file())


def _runs_of_last_sweep(out: Path) -> set[str]:
    """Sweeps of a group write their tables into the folder above their own."""
    out = out.absolute()
    tables = [*out.glob("*-host.csv"), out.parent / f"{out.name}-host.csv"]
    try:
        frames = [pd.read_csv(table) for table in tables if table.is_file()]
    except (OSError, ValueError) as error:
        raise UserError(f"{out}: a table of runs cannot be read: {error}") from error
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
