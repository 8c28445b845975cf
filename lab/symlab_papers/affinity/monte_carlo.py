# SPDX-License-Identifier: MIT
"""Monte Carlo of a direct-mapped cache in which each miss falls on any line.

It follows who has which line, and knows none of the equations. Many caches are followed at once, an
array of shape (trials, lines) that says whether the thread has the line. Random numbers come from
numpy's PCG64, whose sequence never changes, and results are means of whole numbers: the same on
every host.
"""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

Owned = NDArray[np.bool_]


class Caches:
    """`trials` caches of `lines` lines, of which a thread has `held` in each."""

    def __init__(self, trials: int, lines: int, held: int, seed: int) -> None:
        if not 0 <= held <= lines:
            raise ValueError(f"{held} of {lines} lines")
        self.owned: Owned = np.zeros((trials, lines), dtype=np.bool_)
        self.owned[:, :held] = True
        self._each = np.arange(trials)[:, np.newaxis]
        self._random = np.random.PCG64(seed)

    def miss(self, count: int, own: bool) -> None:
        """`count` misses in each cache: the thread's `own`, which give it lines, or of others.
        Among misses of one kind the order makes no difference, so they are made at once."""
        trials, lines = self.owned.shape
        drawn = self._random.random_raw((trials, count)) % np.uint64(lines)
        self.owned[self._each, drawn.astype(np.intp)] = own

    def held(self) -> NDArray[np.int64]:
        """The lines that the thread has in each cache."""
        return self.owned.sum(axis=1, dtype=np.int64)


def mean_lines(caches: Caches, own: bool, misses: Iterable[int]) -> dict[int, float]:
    """Number of misses -> mean of the lines that the thread has after them. `misses` ascend."""
    found, done = {}, 0
    for wanted in misses:
        caches.miss(wanted - done, own)
        done = wanted
        found[wanted] = float(caches.held().mean())
    return found


def mean_reload(caches: Caches, footprint: int) -> float:
    """Mean number of own misses until the thread has `footprint` lines in the cache."""
    waited = 0
    while missing := int((caches.held() < footprint).sum()):
        waited += missing
        caches.miss(1, own=True)
    return waited / len(caches.owned)
