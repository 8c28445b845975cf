# SPDX-License-Identifier: MIT
"""Random searches: probabilistic concurrency testing (PCT), and ordinary stress.

S. Burckhardt, P. Kothari, M. Musuvathi, S. Nagarakatti, "A Randomized Scheduler with Probabilistic
Guarantees of Finding Bugs", ASPLOS 2010: processors have random priorities; at d-1 random accesses
the priority of the running one becomes the lowest. A run finds a bug of depth d with a probability
of at least 1/(n k^(d-1)), n processors, k accesses in all.

Here a lower priority is a hold until those of higher priority are quiet. They then run beside, so
the bound is that of strict priorities with the k of the run without holds.

Ordinary stress only lets the processors start at random times. It is there to compare with.
"""

import random
from collections.abc import Sequence
from typing import NamedTuple

from symlab.check.schedule import ACCESS, HOLD, Entry, Schedule
from symlab.check.search import in_order
from symlab.check.trace import Trace


class Pct(NamedTuple):
    """`places`: processor and number of each access at which a priority may change."""

    processors: int
    depth: int
    quiet_ns: int
    places: tuple[tuple[int, int], ...]

    @property
    def bound(self) -> float:
        """The least probability with which one run finds a bug of this depth."""
        return 1 / (self.processors * max(len(self.places), 1) ** (self.depth - 1))

    def schedule(self, seed: int, number: int) -> Schedule:
        """The schedule with this number; the same for the same arguments."""
        return schedule(self, seed, number)


class Stress(NamedTuple):
    """`spread_ns`: the latest start of a processor, from when it would start by itself."""

    processors: int
    spread_ns: int

    def schedule(self, seed: int, number: int) -> Schedule:
        """As Pct.schedule."""
        draw = random.Random(f"stress:{seed}:{number}")
        late = [draw.randrange(self.spread_ns) for _ in range(self.processors)]
        return in_order(tuple(Entry(p, ACCESS, 1, HOLD, ns) for p, ns in enumerate(late) if ns > 0))


def places_of(trace: Trace) -> tuple[tuple[int, int], ...]:
    """The accesses of the run without holds to memory that processors share."""
    return tuple(sorted({(a.processor, a.access) for a in trace.accesses if a.access > 0}))


def schedule(pct: Pct, seed: int, number: int) -> Schedule:
    """The schedule with this number; the same for the same arguments."""
    draw = random.Random(f"{seed}:{number}")
    ranks = list(range(pct.processors))
    draw.shuffle(ranks)
    entries = {
        (p, 1): rank * pct.quiet_ns for p, rank in enumerate(ranks) if rank
    }  # the highest is not held
    changes = min(pct.depth - 1, len(pct.places))
    for change, place in enumerate(draw.sample(pct.places, changes)):
        outlasting = (pct.processors + changes - change) * pct.quiet_ns
        entries[place] = max(entries.get(place, 0), outlasting)
    return in_order(tuple(_entries(entries)))


def _entries(entries: dict[tuple[int, int], int]) -> Sequence[Entry]:
    return [Entry(p, ACCESS, number, HOLD, delay) for (p, number), delay in entries.items()]
