# SPDX-License-Identifier: MIT
"""The schedules still to run, in an order that does not depend on how many run at a time: those of
an exhaustive search, of probabilistic concurrency testing (PCT), or of ordinary stress.

S. Burckhardt, P. Kothari, M. Musuvathi, S. Nagarakatti, "A Randomized Scheduler with Probabilistic
Guarantees of Finding Bugs", ASPLOS 2010: processors have random priorities; at d-1 random accesses
the priority of the running one becomes the lowest. A run finds a bug of depth d with a probability
of at least 1/(n k^(d-1)), n processors, k accesses in all.

Here a lower priority is a hold until those of higher priority are quiet. They then run beside, so
the bound is that of strict priorities with the k of the run without holds.

Ordinary stress only lets the processors start at random times. It is there to compare with.
"""

import random
from collections import deque
from collections.abc import Iterable
from typing import NamedTuple

from symlab.checks.schedule import ACCESS, HOLD, Entry, Schedule
from symlab.checks.search import in_order, preemptions
from symlab.checks.trace import Trace

MOST_PENDING = 1_000_000  # schedules of some 400 bytes each


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
        draw = random.Random(f"{seed}:{number}")
        ranks = list(range(self.processors))
        draw.shuffle(ranks)  # the highest is not held
        entries = {(p, 1): rank * self.quiet_ns for p, rank in enumerate(ranks) if rank}
        changes = min(self.depth - 1, len(self.places))
        for change, place in enumerate(draw.sample(self.places, changes)):
            outlasting = (self.processors + changes - change) * self.quiet_ns
            entries[place] = max(entries.get(place, 0), outlasting)
        return in_order(tuple(Entry(p, ACCESS, n, HOLD, ns) for (p, n), ns in entries.items()))


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


class Frontier:
    """Of an exhaustive search: first the schedules without preemptions, then those with one, ...
    While `most_pending` wait, those that follow are left out: they would fill the memory."""

    def __init__(
        self, first: Iterable[Schedule], preemptions: int, most_pending: int = MOST_PENDING
    ) -> None:
        self.phase = 0
        self.whole = True
        self._most = preemptions
        self._room = most_pending
        self._seen: set[Schedule] = set()
        self._queues: list[deque[Schedule]] = [deque() for _ in range(preemptions + 1)]
        self._put(first)

    def take(self, most: int) -> list[Schedule]:
        """Up to `most` schedules of this phase."""
        queue = self._queues[self.phase]
        return [queue.popleft() for _ in range(min(most, len(queue)))]

    def add(self, follows: Iterable[Schedule]) -> list[Schedule]:
        """Adds those that follow from one more run and are new; returns them."""
        self._room += 1
        return self._put(follows)

    def _put(self, follows: Iterable[Schedule]) -> list[Schedule]:
        new = []
        for schedule in follows:
            if schedule not in self._seen and self._room > 0:
                self._room -= 1
                self._seen.add(schedule)
                new.append(schedule)
                self._queues[max(self.phase, preemptions(schedule))].append(schedule)
        self.whole = self.whole and self._room > 0  # else some may have been left out
        return new

    def advance(self) -> bool:
        """Begins the next phase, once all runs of this one are over. False if there is none."""
        while self.phase < self._most and not self._queues[self.phase]:
            self.phase += 1
        return bool(self._queues[self.phase])

    @property
    def pending(self) -> int:
        return sum(map(len, self._queues))


class Draws:
    """Of a random search: schedules with the numbers 0, 1, ... up to `most`, None: without end."""

    whole = True

    def __init__(self, chooser: Pct | Stress, seed: int, most: int | None = None) -> None:
        self._chooser, self._seed, self._most = chooser, seed, most
        self._next = 0

    def take(self, most: int) -> list[Schedule]:
        end = self._next + most
        if self._most is not None:
            end = min(end, self._most)
        numbers = range(self._next, end)
        self._next = end
        return [self._chooser.schedule(self._seed, number) for number in numbers]

    def add(self, follows: Iterable[Schedule]) -> list[Schedule]:
        return []

    def advance(self) -> bool:
        return self._most is None or self._next < self._most

    @property
    def pending(self) -> int:
        return 0 if self._most is None else self._most - self._next


# Schedules to run. Results are added in the order in which `take` gave their schedules. `whole`:
# none was left out.
Source = Frontier | Draws
