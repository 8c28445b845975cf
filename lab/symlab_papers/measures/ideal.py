# SPDX-License-Identifier: MIT
"""Elapsed time of a lock workload on an ideal machine, where waiting for the lock costs nothing.

It is an exact simulation of the closed system in `guest/workloads/turns.h`. In a turn a processor
acquires the lock, executes the section, releases the lock and pauses. The lock goes to the
processor that asked first, at the instant it becomes free. Waiting processors slow nobody down.
Section and pause take the times that the guest measured without contention, and the pauses are the
guest's own random numbers. A section takes longer if another processor executed it last: moving
the data belongs to the section, not to the lock.
"""

import heapq
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

WORD = 0xFFFFFFFF


@dataclass(frozen=True)
class Turns:
    """The workload: `turns` turns in each of `rounds` rounds, divided evenly among `processors`.

    Times are in picoseconds and come from the results of turns.h. `section_moved_ps`: the section
    if another processor executed it last. A pause takes `pause_least_ps` plus 0 to `pause_steps`
    - 1 steps of `pause_step_ps`, drawn at random from `seed`.
    """

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
    """Elapsed time in ps, summed over rounds: from the common start to the last processor's end."""
    pauses = [_pauses(work, cpu) for cpu in range(work.processors)]
    # Round 0, which is not measured, has one turn per processor, in order of their numbers.
    holder = work.processors - 1
    return sum(_round(work, pauses, holder) for _ in range(work.rounds))


def _round(work: Turns, pauses: list[Iterator[int]], holder: int) -> int:
    quotient, rest = divmod(work.turns, work.processors)
    left = [quotient + (cpu < rest) for cpu in range(work.processors)]
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
    """The guest's random pauses in ps, from the first measured turn on. The guest has drawn two
    numbers by then: one before round 0, and one for the pause in round 0."""
    steps, least_ps, step_ps = work.pause_steps, work.pause_least_ps, work.pause_step_ps
    if not steps:
        while True:
            yield least_ps
    x = xorshift(xorshift(random_seed(work.seed, cpu)))
    while True:
        x = xorshift(x)
        yield least_ps + (x * steps >> 32) * step_ps


def xorshift(x: int) -> int:
    """The next state after `x`: `random_next` of guest/lib/random.c."""
    x ^= x << 13 & WORD
    x ^= x >> 17
    return x ^ (x << 5 & WORD)


def random_seed(seed: int, processor: int) -> int:
    """The first state of a processor's generator: `random_seed` of guest/lib/random.c."""
    return _mix(_mix(seed + 1 & WORD) + processor & WORD) or 1


def _mix(x: int) -> int:
    x = (x ^ x >> 16) * 0x85EBCA6B & WORD
    x = (x ^ x >> 13) * 0xC2B2AE35 & WORD
    return x ^ x >> 16
