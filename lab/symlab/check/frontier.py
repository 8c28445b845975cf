# SPDX-License-Identifier: MIT
"""The schedules still to run, in an order that does not depend on how many run at a time."""

from collections import deque
from collections.abc import Iterable
from typing import Protocol

from symlab.check.random import Pct, Stress
from symlab.check.schedule import Schedule
from symlab.check.search import preemptions

MOST_PENDING = 1_000_000  # schedules of some 400 bytes each


class Source(Protocol):
    """Schedules to run. Results are added in the order in which `take` gave their schedules.
    `whole`: none was left out."""

    whole: bool

    def take(self, most: int) -> list[Schedule]: ...
    def add(self, follows: Iterable[Schedule]) -> list[Schedule]: ...
    def advance(self) -> bool: ...
    @property
    def pending(self) -> int: ...


class Frontier:
    """Of an exhaustive search: first the schedules without preemptions, then those with one, ...

    While `most_pending` wait, those that follow are left out: they would fill the memory.
    """

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
