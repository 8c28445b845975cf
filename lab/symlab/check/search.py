# SPDX-License-Identifier: MIT
"""Exhaustive search: which schedules follow from a run, at most k preemptions.

Each run shows conflicting accesses: a by processor p, later b by another. A run in which b comes
first must hold p before a, so the schedule "the entries that began before a, and hold p before a"
is run too. Repeated until nothing is new, this reaches each order of conflicting accesses that at
most k preemptions make. This is dynamic partial-order reduction (C. Flanagan, P. Godefroid,
POPL 2005) under a bound on preemptions (M. Musuvathi, S. Qadeer, PLDI 2007). Under a bound a
filter by happens-before loses runs (K. Coons, M. Musuvathi, K. McKinley, OOPSLA 2013), so there is
none, and each processor is also held at its first access: the search begins with each order of the
processors, and these holds count as no preemptions.

A preempted processor comes back when the others are quiet: they have finished or wait. `unquiet`
tells when that took longer. Of two processors, one that is held while the other is held must
outlast it, since otherwise it comes back before anything has happened. Of three and more, each
order in which they come back is tried. So that a later hold can end between two earlier ones, each
hold leaves gaps: with u preemptions still to come, a gap has 2^u times the time to become quiet,
and the end of the next hold halves it.
"""

from itertools import permutations
from math import comb, factorial
from typing import NamedTuple

from symlab.check.schedule import ACCESS, HOLD, INSTRUCTION, INTERRUPT, STORES, Entry, Schedule
from symlab.check.trace import Access, Trace

QUIET = 2  # times the length of the run without holds: a guess; `unquiet` finds where it is wrong


class Bounds(NamedTuple):
    """`quiet_ns`: the time after which processors that are not held have finished or wait.
    `stores`: whether stores are held in the write buffer, too."""

    processors: int
    preemptions: int
    quiet_ns: int
    stores: bool = True


def starts(bounds: Bounds) -> list[Schedule]:
    """The first schedules: none held, then each order of the processors."""
    n = bounds.processors
    apart_ns = bounds.quiet_ns * (2**bounds.preemptions if n > 2 else 1)
    found: list[Schedule] = [()]
    for order in permutations(range(n)):
        ranked = sorted((p, rank) for rank, p in enumerate(order) if rank)
        found.append(tuple(Entry(p, ACCESS, 1, HOLD, rank * apart_ns) for p, rank in ranked))
    return found


def interrupts(trace: Trace) -> list[Schedule]:
    """A schedule for each instruction of the run without holds, after which the timer interrupts
    its processor."""
    return [
        (Entry(processor, INSTRUCTION, number, INTERRUPT),)
        for processor, (_, instructions, *_) in enumerate(trace.positions)
        for number in range(1, instructions + 1)
    ]


def preemptions(schedule: Schedule) -> int:
    """How many entries count: not those of `starts`, which are before each first access."""
    return sum(not is_start(entry) for entry in schedule)


def is_start(entry: Entry) -> bool:
    return entry.at == ACCESS and entry.position == 1 and entry.action == HOLD


def children(schedule: Schedule, trace: Trace, bounds: Bounds) -> list[Schedule]:
    """The schedules that follow from a run, each with at most bounds.preemptions."""
    begun = sorted(
        (hold[0], hold[1], entry)
        for entry, hold in zip(schedule, trace.holds, strict=True)
        if hold is not None
    )
    taken = {entry.key for _, _, entry in begun}
    found: dict[Schedule, None] = {}
    for access in trace.conflicts():
        if access.access == 0:  # its processor has not begun the checked part
            continue
        kept = [one for one in begun if one[0] <= access.t_ps]
        prefix = tuple(entry for _, _, entry in kept)
        used = preemptions(prefix)
        if used >= bounds.preemptions:
            continue
        actions = (HOLD, STORES) if _is_store(access) and bounds.stores else (HOLD,)
        for action in actions:
            key = (access.processor, ACCESS, access.access, action)
            if key in taken or (action == HOLD and access.access == 1):
                continue
            for delay_ns in _delays(access, action, kept, used, bounds):
                found[in_order((*prefix, Entry(*key, delay_ns)))] = None
    return list(found)


def places(trace: Trace, bounds: Bounds) -> int:
    """How many schedules with one preemption follow from the run without holds."""
    found = 0
    for access in trace.conflicts():
        if access.access > 0:
            found += (access.access > 1) + (_is_store(access) and bounds.stores)
    return found


def forecast(places: int, bounds: Bounds) -> int:
    """About how many schedules an exhaustive search makes: each choice of at most k places, after
    each order of the processors. For what `make check-tree` checks it is half to twice the number.
    """
    choices = sum(comb(places, k) for k in range(bounds.preemptions + 1))
    return choices * (1 + factorial(bounds.processors))


def in_order(entries: Schedule) -> Schedule:
    """As schedule.holds wants it: by processor, then by position. A hold comes before the stores
    that are held at the same access."""
    return tuple(sorted(entries))


def unquiet(schedule: Schedule, trace: Trace, bounds: Bounds) -> bool:
    """Whether a hold ended too early: in the last quarter of quiet_ns before its end another
    processor still made progress, although its own holds had ended quiet_ns before. What repeats
    in a spin loop is not in the trace."""
    quiet_ps = bounds.quiet_ns * 1000
    ended = [(hold, entry) for hold, entry in zip(trace.holds, schedule, strict=True) if hold]
    for hold, entry in ended:
        end = hold[1]
        if entry.action != HOLD or end - hold[0] < quiet_ps:
            continue
        if any(other is not hold and end - quiet_ps < other[1] <= end for other, _ in ended):
            continue
        from_ps, mine = end - quiet_ps // 4, entry.processor
        if any(a.processor != mine and from_ps <= a.t_ps < end for a in trace.accesses):
            return True
    return False


def lengthened(schedule: Schedule) -> Schedule:
    """The schedule with all delays twice as long."""
    return tuple(entry._replace(delay_ns=2 * entry.delay_ns) for entry in schedule)


def _is_store(access: Access) -> bool:
    return access.write and not access.locked


def _delays(
    access: Access,
    action: str,
    kept: list[tuple[int, int, Entry]],
    used: int,
    bounds: Bounds,
) -> list[int]:
    """The delays of a new entry: until `quiet` after the last of the active ones has ended, and, if
    others can run meanwhile, until `quiet` after each earlier one."""
    active = sorted((end, entry) for _, end, entry in kept if end > access.t_ps)
    held = {entry.processor for _, entry in active if entry.action == HOLD}
    inner = bounds.processors > 2
    to_come = bounds.preemptions - used - 1
    gap_ns = bounds.quiet_ns * (2**to_come if inner or action == STORES else 1)
    ends = [access.t_ps, *(end for end, _ in active)]
    delays = []
    for at, end in enumerate(ends):
        delay_ns = -(-(end - access.t_ps) // 1000) + gap_ns
        if at == len(active):
            delays.append(delay_ns)
        elif at == 0 and len(held) == bounds.processors - 1:
            continue  # nobody would run meanwhile
        elif not inner and active[at][1].action == HOLD:
            continue  # it would end while the other one is held
        elif access.t_ps + delay_ns * 1000 < ends[at + 1]:
            delays.append(delay_ns)
    return delays
