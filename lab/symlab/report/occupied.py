# SPDX-License-Identifier: MIT
"""Exact sums of the time that intervals cover, for timelines, bins and tables."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

Times = NDArray[np.int64]


class Occupied:
    """A set of intervals that do not overlap, such as the uses of the bus by one activity.

    `starts` and `durations`: in ps, equally long, in any order.
    """

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
