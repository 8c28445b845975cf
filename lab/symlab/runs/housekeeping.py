# SPDX-License-Identifier: MIT
"""Lists the runs in a sweep's folder and removes those that the last sweep does not need.

If the config, guest or simulator of a point has changed, the sweep makes a new run and keeps the
old one, since the user may return to the earlier state. Old runs stay until `symlab gc`. The last
sweep wrote <name>-host.csv, which names the run of each of its points.
"""

import fcntl
import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from symlab.errors import OutputError, UserError
from symlab.results.columns import of_sweep
from symlab.results.csv_file import read_csv
from symlab.runs.grid import Point
from symlab.runs.store import FAILED, NAME, PARTIAL, Record, Store, damage

AGAIN = "run the sweep again"


@dataclass(frozen=True)
class Inventory:
    """The folders below runs/ by state.

    `ended`: whether a sweep has ended here; if not, all finished runs are needed. `damaged`: runs
    that finished once, of which some file has changed since, and what is wrong with them. `holder`:
    process id of a sweep in progress, or "".
    """

    store: Store
    needed: list[Path] = field(default_factory=list)  # finished, belongs to the last sweep
    older: list[Path] = field(default_factory=list)  # finished, of no point of the last sweep
    failed: list[Path] = field(default_factory=list)
    partial: list[Path] = field(default_factory=list)  # in progress, or interrupted
    damaged: dict[Path, str] = field(default_factory=dict)
    missing: list[str] = field(default_factory=list)  # points of the last sweep without a run
    ended: bool = True
    holder: str = ""

    @cached_property
    def records(self) -> dict[str, Record]:
        return self.store.records()

    @property
    def unneeded(self) -> list[Path]:
        return [*self.older, *self.failed, *self.partial, *self.damaged]

    def label(self, run: Path) -> str:
        """The run's coordinates, `processors=4 lock=read`, or its folder's name if unknown."""
        record = self.records.get(run.name)
        return Point(record.coordinates, {}).label if record else run.name


def inventory(out: Path) -> Inventory:
    """Lists the runs below the results folder `out` without changing them. Raises UserError if no
    sweep has been run into `out`."""
    store = Store(out)
    if not store.runs.is_dir():
        raise UserError(f"{out}: has no folder runs; give the folder of a sweep's results")
    tables = _tables_of_last_sweep(out)
    wanted = _runs_in(tables)
    found = Inventory(store, ended=bool(tables), holder=_holder(out))
    runs = sorted(path for path in store.runs.iterdir() if path.is_dir())
    finished = [run for run in runs if not run.name.endswith((PARTIAL, FAILED))]
    with ThreadPoolExecutor() as pool:  # hashing their files is most of the work
        flaws = zip(finished, pool.map(damage, finished), strict=True)
        found.damaged.update({run: wrong for run, wrong in flaws if wrong is not None})
    for run in runs:
        if run.name.endswith(PARTIAL):
            found.partial.append(run)
        elif run.name.endswith(FAILED):
            found.failed.append(run)
        elif run not in found.damaged:
            needed = run.name in wanted or not tables
            (found.needed if needed else found.older).append(run)
    found.missing.extend(sorted(wanted - {run.name for run in [*found.needed, *found.failed]}))
    return found


def collect(out: Path, dry: bool = False) -> dict[Path, int]:
    """Removes the runs that the last sweep into `out` does not need; with `dry`, only lists them.
    Returns folder -> size in bytes. Raises UserError if a sweep is running there or none has ended
    there, OutputError if a folder cannot be removed."""
    if not _runs_in(_tables_of_last_sweep(out)):
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


def _tables_of_last_sweep(out: Path) -> list[Path]:
    """The tables <name>-host.csv of the last sweep into `out`. A sweep whose config is in a group
    writes its table into the parent of `out`."""
    out = out.absolute()
    tables = [*out.glob("*-host.csv"), out.parent / f"{out.name}-host.csv"]
    return [table for table in tables if table.is_file()]


def _runs_in(tables: list[Path]) -> set[str]:
    """Names of the runs in these tables. Raises UserError if one of them names anything else, since
    the runs that it should name would count as not needed."""
    names: set[str] = set()
    for table in tables:
        frame = read_csv(table, of_sweep, AGAIN, ["run"])
        for name in frame["run"].dropna():
            if not NAME.fullmatch(name.removesuffix(FAILED)):
                raise UserError(f"{table}: column run has {name!r}, which is not a run; {AGAIN}")
            names.add(name)
    return names


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
