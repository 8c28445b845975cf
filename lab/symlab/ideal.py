# SPDX-License-Identifier: MIT
"""Turns of one section by several processors if waiting cost nothing and disturbed nobody.

A closed system, simulated exactly: whoever asks first has the section next, at the instant it
becomes free; sections and pauses take what the guest measured of them alone; the pauses are the
ones the guest drew (`guest/workloads/turns.h`). A section whose data another processor had last
takes longer: moving data is the section's work, not the lock's.
"""

import heapq
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

WORD = 0xFFFFFFFF


@dataclass(frozen=True)
class Turns:
    """What is to be done: `turns` in each of `rounds`, shared out evenly. Times in picoseconds."""

    processors: int
    turns: int
    rounds: int
    section_ps: int
    section_moved_ps: int
    pause_least_ps: int
    pause_step_ps: int
    pause_steps: int
    seed: int


@lru_cache(maxsize=1024)
def ideal_ps(work: Turns) -> int:
    """Elapsed time from the common start of each round to its last processor's end, summed."""
    pauses = [_pauses(work, cpu) for cpu in range(work.processors)]
    holder = work.processors - 1  # of the turn each that goes before: they come in order
    return sum(_round(work, pauses, holder) for _ in range(work.rounds))


def _round(work: Turns, pauses: list[Iterator[int]], holder: int) -> int:
    each, more = divmod(work.turns, work.processors)
    left = [each + (cpu < more) for cpu in range(work.processors)]
    asking = [(0, cpu) for cpu in range(work.processors) if left[cpu]]
    free = end = 0
    while asking:
        since, cpu = asking[0]
        free = max(since, free) + (work.section_ps if cpu == holder else work.section_moved_ps)
        again = free + next(pauses[cpu])
        holder = cpu
        left[cpu] -= 1
        if left[cpu]:
            heapq.heapreplace(asking, (again, cpu))
        else:
            heapq.heappop(asking)
            end = max(end, again)
    return end


def _pauses(work: Turns, cpu: int) -> Iterator[int]:
    """The guest's draws, behind the one of the turn that goes before."""
    steps, least_ps, step_ps = work.pause_steps, work.pause_least_ps, work.pause_step_ps
    if not steps:
        while True:
            yield least_ps
    x = xorshift(xorshift(random_seed(work.seed, cpu)))
    while True:
        x ^= x << 13 & WORD
        x ^= x >> 17
        x ^= x << 5 & WORD
        yield least_ps + (x * steps >> 32) * step_ps


def xorshift(x: int) -> int:
    """random_next of guest/lib/random.c."""
    x ^= x << 13 & WORD
    x ^= x >> 17
    return x ^ (x << 5 & WORD)


def random_seed(seed: int, processor: int) -> int:
    """The first state of a processor's generator: guest/lib/random.c."""
    return _mix(_mix(seed + 1 & WORD) + processor & WORD) or 1


def _mix(x: int) -> int:
    x = (x ^ x >> 16) * 0x85EBCA6B & WORD
    x = (x ^ x >> 13) * 0xC2B2AE35 & WORD
    return x ^ x >> 16
