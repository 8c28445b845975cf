# SPDX-License-Identifier: MIT
"""Worst cases of locks over all runs: the longest handoff, the longest wait, unfairness."""

from collections import Counter, defaultdict
from typing import NamedTuple

from symlab.check.rules import ACQUIRED, RELEASE, waits
from symlab.check.trace import Probe, Trace


class Worst(NamedTuple):
    """`handoff_ps`: from a release to the next acquisition by a processor that waited already,
    without the time in which the one or the other was held. `wait_handoffs`: acquisitions by others
    after a processor has arrived at the lock and before it gets it. `unfairness`: the most of these
    that one other processor makes. Acquisitions while the processor itself is held do not count:
    the schedule makes it miss them, not the lock. All of the lock for which they are largest."""

    handoff_ps: int = 0
    wait_handoffs: int = 0
    unfairness: int = 0


def worst_of(trace: Trace, holders: list[int]) -> Worst:
    """Of one run. `holders`: the processor of each entry of the schedule."""
    spans = [
        (processor, *hold) for processor, hold in zip(holders, trace.holds, strict=True) if hold
    ]
    handoff = wait = unfair = 0
    acquired: dict[int, list[Probe]] = defaultdict(list)  # by lock
    released: dict[int, list[Probe]] = defaultdict(list)
    for probe in trace.probes:
        if probe.kind in (ACQUIRED, RELEASE):
            (acquired if probe.kind == ACQUIRED else released)[probe.operand].append(probe)
    for probe, arrival in waits(trace):
        if arrival is None:
            continue
        lock, p, since = probe.operand, probe.processor, max(arrival.t_ps, arrival.order_ps)
        passed = Counter(
            other.processor
            for other in acquired[lock]
            if since < other.t_ps < probe.t_ps and not _is_held(spans, p, other.t_ps)
        )
        wait = max(wait, passed.total())
        unfair = max(unfair, *passed.values(), 0)
        before = [one for one in released[lock] if since <= one.t_ps < probe.t_ps]
        if before:
            begin, releaser = before[-1].t_ps, before[-1].processor
            lost = _held(spans, {p, releaser}, begin, probe.t_ps)
            handoff = max(handoff, probe.t_ps - begin - lost)
    return Worst(handoff, wait, unfair)


def _is_held(spans: list[tuple[int, int, int]], processor: int, at_ps: int) -> bool:
    return any(p == processor and begin <= at_ps < end for p, begin, end in spans)


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
