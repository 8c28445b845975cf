# SPDX-License-Identifier: MIT
"""Time covered by intervals, to the picosecond: for timelines, bins and bills."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

Times = NDArray[np.int64]


class Occupied:
    """Intervals that do not overlap, such as the uses of the bus by one activity.

    `starts` and `durations`: ps, in any order.
    """

    def __init__(self, starts: ArrayLike, durations: ArrayLike) -> None:
        begin = np.asarray(starts, dtype=np.int64)
        order = np.argsort(begin, kind="stable")
        self._starts = begin[order]
        self._durations = np.asarray(durations, dtype=np.int64)[order]
        self._covered = np.concatenate(([0], np.cumsum(self._durations)))

    def before(self, times: ArrayLike) -> Times:
        """For each time (ps) how much before it is covered, in ps."""
        at = np.asarray(times, dtype=np.int64)
        index = np.searchsorted(self._starts, at, side="right") - 1
        if not len(self._starts):
            return np.zeros_like(at)
        last = np.clip(index, 0, None)
        part = np.clip(at - self._starts[last], 0, self._durations[last])
        return np.where(index < 0, 0, self._covered[last] + part)

    def between(self, begin: ArrayLike, end: ArrayLike) -> Times:
        """How much of each interval from `begin` to `end` (ps) is covered, in ps."""
        return self.before(end) - self.before(begin)


def edges(begin_ps: int, end_ps: int, most: int) -> Times:
    """Borders of at most `most` equal bins (the last may be shorter) from begin to end, in ps."""
    length = max(1, -(-(end_ps - begin_ps) // most))
    return np.append(np.arange(begin_ps, end_ps, length, dtype=np.int64), end_ps)
