# SPDX-License-Identifier: MIT
"""Intervals of time: waits and holds of locks from the marks of a log, and exact sums of what
intervals cover, for timelines, bins and tables.

As in locks.csv, each owner of locks is evaluated on its own: the process that a processor runs, or
the processor. A second attempt without an acquisition in between replaces the first. A release
without an acquisition ends no hold.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

NEVER = np.iinfo(np.int64).max  # end of a wait that lasts beyond the end of the run
Times = NDArray[np.int64]


@dataclass(frozen=True)
class Episodes:
    """Three frames, each in order of its last time column.

    `waits`: lock (address), processor, attempt_ps, acquired_ps (NEVER if still waiting at the end
    of the run). `holds`: lock, processor, acquired_ps, released_ps. `releases`: lock, processor,
    time_ps, including releases that end no hold. A process may begin a wait or hold on another
    processor than it ends it; `processor` is then that of the end.
    """

    waits: pd.DataFrame
    holds: pd.DataFrame
    releases: pd.DataFrame

    @property
    def ended_waits(self) -> pd.DataFrame:
        return self.waits[self.waits["acquired_ps"] < NEVER]


def episodes(marks: pd.DataFrame) -> Episodes:
    """The episodes in the table marks of a transaction log (docs/reference/transactions.md)."""
    of_locks = marks["probe"].isin(["lock_attempt", "lock_acquired", "lock_release"])
    rows = marks.assign(owner=_owners(marks))
    rows = rows.loc[of_locks, ["value", "processor", "time_ps", "probe", "owner"]]
    rows = rows.rename(columns={"value": "lock"})
    rows = rows.astype({"lock": np.int64, "processor": np.int64, "probe": str})
    rows = rows.sort_values(["lock", "owner", "time_ps"], kind="stable")
    waits = _pairs(rows, "lock_attempt", "lock_acquired", "attempt_ps", "acquired_ps")
    holds = _pairs(rows, "lock_acquired", "lock_release", "acquired_ps", "released_ps")
    releases = rows[rows["probe"] == "lock_release"].drop(columns=["probe", "owner"])
    return Episodes(
        waits,
        holds[holds["released_ps"] < NEVER].reset_index(drop=True),
        releases.sort_values(["time_ps", "lock"], kind="stable", ignore_index=True),
    )


def _owners(marks: pd.DataFrame) -> pd.Series:
    """The owner of the locks at each mark: a processor's number, or -1 minus that of a process.
    Kernel code is the processor's own, whichever process it runs."""
    probe = marks["probe"].astype(str)
    runs = probe == "process_run"
    ends = probe.isin(["process_preempt", "process_yield", "process_block", "process_exit"])
    own = marks["processor"].astype(np.int64)
    if not runs.any():
        return own
    order = marks.sort_values(["processor", "time_ps"], kind="stable").index
    by_processor = own.loc[order]
    process = marks["value"].astype(np.float64).where(runs).mask(ends, -1).loc[order]
    process = process.groupby(by_processor).ffill().fillna(-1)
    activity = marks["activity"].astype(str).where(marks["what"] == "activity").loc[order]
    in_kernel = activity.groupby(by_processor).ffill() == "kernel"
    return by_processor.mask((process >= 0) & ~in_kernel, -1 - process).astype(np.int64)


def _pairs(rows: pd.DataFrame, first: str, last: str, begin: str, end: str) -> pd.DataFrame:
    """Pairs each probe `first` with the next probe of its owner and lock. That next probe must be a
    `last`, or be missing: the pair then ends at NEVER. Probes of other names are ignored. `begin`,
    `end`: names of the columns for the two times."""
    both = rows[rows["probe"].isin([first, last])]
    columns = ["probe", "time_ps", "processor"]
    following = both.groupby(["lock", "owner"], sort=False)[columns].shift(-1)
    begins = (both["probe"] == first) & (following["probe"].isna() | (following["probe"] == last))
    found = both.loc[begins, ["lock", "processor"]].copy()
    ends_on = following.loc[begins, "processor"]
    found["processor"] = ends_on.fillna(found["processor"]).astype(np.int64)
    found[begin] = both.loc[begins, "time_ps"]
    found[end] = following.loc[begins, "time_ps"].astype("Int64").fillna(NEVER).astype(np.int64)
    return found.sort_values([end, begin], kind="stable", ignore_index=True)


class Occupied:
    """A set of intervals that do not overlap, such as the uses of the bus by one activity. `starts`
    and `durations`: in ps, equally long, in any order."""

    def __init__(self, starts: ArrayLike, durations: ArrayLike) -> None:
        begin = np.asarray(starts, dtype=np.int64)
        order = np.argsort(begin, kind="stable")
        self._starts = begin[order]
        self._durations = np.asarray(durations, dtype=np.int64)[order]
        self._covered = np.concatenate(([0], np.cumsum(self._durations)))

    def before(self, times: ArrayLike) -> Times:
        """For each time (ps), the covered time before it, in ps."""
        at = np.asarray(times, dtype=np.int64)
        index = np.searchsorted(self._starts, at, side="right") - 1
        if not len(self._starts):
            return np.zeros_like(at)
        last = np.clip(index, 0, None)
        part = np.clip(at - self._starts[last], 0, self._durations[last])
        return np.where(index < 0, 0, self._covered[last] + part)

    def between(self, begin: ArrayLike, end: ArrayLike) -> Times:
        """The covered part of each interval from `begin` to `end` (ps), in ps."""
        return self.before(end) - self.before(begin)


def union(starts: ArrayLike, ends: ArrayLike) -> Occupied:
    """The times covered by at least one of the intervals, which may overlap."""
    begin = np.asarray(starts, dtype=np.int64)
    order = np.argsort(begin, kind="stable")
    begin = begin[order]
    last = np.maximum.accumulate(np.asarray(ends, dtype=np.int64)[order])
    fresh = np.append(True, begin[1:] > last[:-1])[: len(begin)]  # no earlier one reaches it
    first = np.flatnonzero(fresh)
    until = last[np.append(first[1:], len(last)) - 1] if len(first) else last
    return Occupied(begin[first], until - begin[first])


def edges(begin_ps: int, end_ps: int, most: int) -> Times:
    """Borders (ps) of at most `most` bins of equal length from begin to end; the last bin may be
    shorter."""
    length = max(1, -(-(end_ps - begin_ps) // most))
    return np.append(np.arange(begin_ps, end_ps, length, dtype=np.int64), end_ps)
