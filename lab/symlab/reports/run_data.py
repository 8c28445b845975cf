# SPDX-License-Identifier: MIT
"""Reads a run's folder for the report: the files of docs/reference/outputs.md, and the log.

The functions raise UserError if the folder is not that of a run, or if a file cannot be read.
"""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from symlab.errors import UserError
from symlab.reports.colours import PROCESS_STATES
from symlab.reports.intervals import Episodes, episodes
from symlab.results.columns import of_run
from symlab.results.csv_file import read_csv
from symlab.results.manifest import DISTANCE, LOG, SUMMARY, TABLES, warn_if_damaged
from symlab.results.resources import over_resources
from symlab.results.summary import read_summary
from symlab.results.table import is_number

if TYPE_CHECKING:
    from symlab.results.transactions import Frames

PROCESSES = "processes.csv"
# Those that the report reads.
FILES = (SUMMARY, *TABLES, *DISTANCE, PROCESSES, "console.txt", "profile.folded", LOG)
BUS_COLUMNS = ("start_us", "end_us", "busy_us", "utilisation", "mean_wait_us", "transactions")
LOCK_COLUMNS = ("processor", "acquisitions", "wait_us", "max_wait_us", "hold_us", "open_wait_us")
PROCESS_COLUMNS = (
    "process", *(f"{state}_us" for state in PROCESS_STATES), "quanta", "preemptions",
)  # fmt: skip

PAGE_COLUMNS = ("home_node",)
LINK_COLUMNS = ("ring", "from_node", "to_node", "messages", "busy_us", "mean_wait_us")

PS_PER_US = 1_000_000


@dataclass(frozen=True)
class RunData:
    """The data of one run.

    `summary`: summary.json. `bus`, `locks`: bus.csv and locks.csv; the resources of the
    interconnect are together in `bus` if it has several. `console`: output of the guest.
    `profile`: text of profile.folded, or None. `log`: tables of the transaction log
    (docs/reference/transactions.md), or None. `processes`: processes.csv, or None if the guest has
    none. `pages`, `links`: pages.csv and links.csv, or None on a machine without several
    nodes. `damaged`: which file has changed since the run, in words, or None.
    """

    name: str
    summary: dict[str, Any]
    bus: pd.DataFrame
    locks: pd.DataFrame
    console: str = ""
    profile: str | None = None
    log: "Frames | None" = None
    processes: pd.DataFrame | None = None
    pages: pd.DataFrame | None = None
    links: pd.DataFrame | None = None
    damaged: str | None = None

    @property
    def config(self) -> dict[str, Any]:
        return self.summary["config"]

    @property
    def processors(self) -> list[dict[str, Any]]:
        return self.summary["processors"]

    @property
    def end_ps(self) -> int:
        return ps(self.summary["simulated_us"])

    @property
    def resources(self) -> int:
        """Number of the interconnect's resources, which are used at the same time."""
        return int(self.summary["bus"].get("resources", 1))

    @property
    def bus_ps(self) -> int:
        """For how long, in ps, the resources could have been busy: the bus, the whole run."""
        return self.end_ps * self.resources

    @property
    def log_span_ps(self) -> tuple[int, int]:
        """Begin and end, in ps, of the time that the log covers. A window (observe.window) or a
        limit on the log's size may shorten that time."""
        begin_us, end_us = (self.config.get(f"observe.window.{k}", 0) for k in ("from_us", "to_us"))
        until_us = (self.summary.get("transactions") or {}).get("until_us")
        ends = [self.end_ps, *(ps(end) for end in (end_us, until_us) if end)]
        return min(ps(begin_us), self.end_ps), min(ends)

    @property
    def log_note(self) -> str:
        """A sentence on the time that the log covers; empty if that is the whole run."""
        begin, end = self.log_span_ps
        if (begin, end) == (0, self.end_ps):
            return ""
        return f" The log shows the run from {us(begin):,} to {us(end):,} us only."

    @cached_property
    def episodes(self) -> Episodes:
        """Waits and holds of all locks. The run must have a log."""
        assert self.log is not None
        return episodes(self.log.marks)

    @property
    def lock_names(self) -> dict[int, str]:
        """Address -> name of the lock; if several locks share a name, the address is appended."""
        named = [(lock["name"], lock["address"]) for lock in self.summary["locks"]]
        count = Counter(name for name, _ in named)
        return {int(at, 16): name if count[name] == 1 else f"{name} at {at}" for name, at in named}

    @property
    def locks_by_name(self) -> list[dict[str, Any]]:
        """The locks of the summary, each with its name in `lock_names` as "lock"."""
        names = self.lock_names
        locks = self.summary["locks"]
        return [{**lock, "lock": names[int(lock["address"], 16)]} for lock in locks]

    def by_lock(self, locks: pd.Series, times: pd.Series) -> dict[str, NDArray[np.int64]]:
        """Name of the lock -> its `times`. `locks`: the address of the lock of each."""
        return {name: times[locks == at].to_numpy() for at, name in self.lock_names.items()}


def load_run(folder: Path) -> RunData:
    summary = read_summary(folder)  # first: a folder without a run has no damage
    damaged = warn_if_damaged(folder, FILES)
    nodes = "misses" in summary
    bus, resources = _numbers(folder / "bus.csv", BUS_COLUMNS), summary["bus"].get("resources", 1)
    return RunData(
        name=folder.resolve().name,
        summary=summary,
        bus=over_resources(bus, resources),
        locks=_numbers(folder / "locks.csv", LOCK_COLUMNS),
        console=_text(folder / "console.txt") or "",
        profile=_text(folder / "profile.folded"),
        log=_log(folder) if (folder / LOG).is_file() else None,
        processes=_numbers(folder / PROCESSES, PROCESS_COLUMNS) if "processes" in summary else None,
        pages=_numbers(folder / "pages.csv", PAGE_COLUMNS) if nodes else None,
        links=_numbers(folder / "links.csv", LINK_COLUMNS) if nodes else None,
        damaged=damaged,
    )


def _log(folder: Path) -> "Frames":
    from symlab.results.transactions import load  # needs the extra parquet

    return load(folder)


def ps(time_us: float) -> int:
    """Picoseconds of a time in us from a run's files, which have six decimals. Exact below 2^53 ps,
    two and a half simulated hours."""
    return round(time_us * PS_PER_US)


def us(time_ps: float) -> float:
    """Microseconds of a time in picoseconds."""
    return float(time_ps) / PS_PER_US


def ratio(part: float, whole: float) -> float:
    """part / whole with six decimals, as in a run's files; 0 if `whole` is 0."""
    return round(part / whole, 6) if whole else 0.0


def _numbers(path: Path, columns: tuple[str, ...]) -> pd.DataFrame:
    """The CSV. Raises UserError if one of the columns is missing, or has anything but numbers."""
    table = read_csv(path, of_run, "run it again")
    for column in columns:
        if column not in table:
            raise UserError(f"{path}: has no column {column}; run it again")
        if len(table) and not (is_number(table[column]) and np.isfinite(table[column]).all()):
            raise UserError(f"{path}: column {column} must have numbers only; run it again")
    return table


def _text(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return None
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error.strerror}") from error
