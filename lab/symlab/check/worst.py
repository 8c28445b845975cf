# SPDX-License-Identifier: MIT
"""Worst cases of locks over all runs: the longest handoff, the longest wait, unfairness."""

from collections import Counter, defaultdict
from typing import NamedTuple

from symlab.check.rules import ACQUIRED, ATTEMPT, RELEASE
from symlab.check.trace import Trace


class Worst(NamedTuple):
    """`handoff_ps`: from a release to the next acquisition by a processor that waited already,
    without the time in which the one or the other was held. `wait_handoffs`: acquisitions by others
    while a processor waits. `unfairness`: the largest difference of the numbers of acquisitions of
    two processors at one time. All of the lock for which they are largest."""

    handoff_ps: int = 0
    wait_handoffs: int = 0
    unfairness: int = 0


def worst_of(trace: Trace, holders: list[int], processors: int) -> Worst:
    """Of one run. `holders`: the processor of each entry of the schedule."""
    spans = [
        (processor, *hold) for processor, hold in zip(holders, trace.holds, strict=True) if hold
    ]
    handoff = wait = unfair = 0
    attempts: dict[int, dict[int, tuple[int, int]]] = defaultdict(dict)  # lock -> waiter
    released: dict[int, tuple[int, int]] = {}
    counts: dict[int, Counter[int]] = defaultdict(Counter)
    for probe in trace.probes:
        lock, p = probe.operand, probe.processor
        if probe.kind == ATTEMPT:
            attempts[lock][p] = (probe.t_ps, counts[lock].total())
        elif probe.kind == ACQUIRED:
            count = counts[lock]
            if p in attempts[lock]:
                since, before = attempts[lock].pop(p)
                wait = max(wait, count.total() - before)
                if lock in released and since <= released[lock][0]:
                    begin, releaser = released[lock]
                    handoff = max(
                        handoff,
                        probe.t_ps - begin - _held(spans, {p, releaser}, begin, probe.t_ps),
                    )
            count[p] += 1
            each = [count[q] for q in range(processors)]
            unfair = max(unfair, max(each) - min(each))
        elif probe.kind == RELEASE:
            released[lock] = (probe.t_ps, p)
    return Worst(handoff, wait, unfair)


def _held(spans: list[tuple[int, int, int]], who: set[int], begin: int, end: int) -> int:
    """The time between `begin` and `end` in which one of the processors `who` was held."""
    held = 0
    last = begin
    for _, from_ps, to_ps in sorted((s for s in spans if s[0] in who), key=lambda s: s[1]):
        from_ps, to_ps = max(from_ps, last), min(to_ps, end)
        if to_ps > from_ps:
            held += to_ps - from_ps
            last = to_ps
    return held
