# SPDX-License-Identifier: MIT
"""Rules that a run must keep. Each is a function that yields its violations in one run.

Locks are known by their probe points (guest/include/probes.h): a processor is in the section from
lock_acquired to lock_release, which are the first instruction after the acquisition and the
instruction that begins the release. So what they find is really too many in the section.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import NamedTuple

from symlab.check.elf import Guarded, Objects
from symlab.check.trace import NEVER, Access, Probe, Trace

ATTEMPT, ACQUIRED, RELEASE = 1, 2, 3
MEMORY_FREE, MEMORY_USED = 34, 35


class Violation(NamedTuple):
    """`rule`: its name. `t_ps`: when it shows. `processors`: which broke it. `address`: the lock or
    the memory, 0 if there is none. `what`: for people, with {name} for the address's name."""

    t_ps: int
    rule: str
    processors: tuple[int, ...]
    address: int
    what: str

    @property
    def key(self) -> tuple[str, int]:
        """What stays the same while a schedule is shrunk."""
        return (self.rule, self.address)


class Setting(NamedTuple):
    """What a program declares, and what the user wants. `fifo`: the lock serves in the order of
    arrival. `handoffs`: the most that may go to others while a processor waits, None: no bound.
    `ignored`: names of rules."""

    guarded: tuple[Guarded, ...] = ()
    objects: tuple[Objects, ...] = ()
    fifo: bool = False
    handoffs: int | None = None
    ignored: frozenset[str] = frozenset()


Rule = Callable[[Trace, Setting], Iterator[Violation]]


def exclusion(trace: Trace, setting: Setting) -> Iterator[Violation]:
    """Two processors in the section of one lock."""
    holders: dict[int, dict[int, None]] = defaultdict(dict)
    for probe in trace.probes:
        inside = holders[probe.operand]
        if probe.kind == ACQUIRED:
            others = [p for p in inside if p != probe.processor]
            if others:
                who = (others[0], probe.processor)
                what = f"processors {who[0]} and {who[1]} are in the section of {{name}} at once"
                yield Violation(probe.t_ps, "exclusion", who, probe.operand, what)
            inside[probe.processor] = None
        elif probe.kind == RELEASE:
            inside.pop(probe.processor, None)


def probe_order(trace: Trace, setting: Setting) -> Iterator[Violation]:
    """A lock acquired without an attempt, or released without being held. What a processor did
    before the checked part is not known."""
    state: dict[tuple[int, int], int] = {}
    for probe in trace.probes:
        if probe.kind not in (ATTEMPT, ACQUIRED, RELEASE):
            continue
        place = (probe.processor, probe.operand)
        before = state.get(place)
        wrong = None
        if probe.kind == ACQUIRED and before in (ACQUIRED, RELEASE):
            wrong = "acquires {name} without an attempt"
        elif probe.kind == RELEASE and before in (ATTEMPT, RELEASE):
            wrong = "releases {name}, which it does not hold"
        if wrong:
            p = probe.processor
            yield Violation(
                probe.t_ps, "probe-order", (p,), probe.operand, f"processor {p} {wrong}"
            )
        state[place] = probe.kind


def starvation(trace: Trace, setting: Setting) -> Iterator[Violation]:
    """More than setting.handoffs acquisitions by others while a processor waits for the lock."""
    if setting.handoffs is None:
        return
    waits: dict[tuple[int, int], int] = {}
    for probe in trace.probes:
        lock = probe.operand
        if probe.kind == ATTEMPT:
            waits[lock, probe.processor] = 0
        elif probe.kind == ACQUIRED:
            waits.pop((lock, probe.processor), None)
            for (other, waiter), passed in waits.items():
                if other != lock:
                    continue
                waits[other, waiter] = passed + 1
                if passed == setting.handoffs:
                    yield Violation(
                        probe.t_ps, "starvation", (waiter,), lock,
                        f"processor {waiter} waits for {{name}} while others get it "
                        f"{passed + 1} times",
                    )  # fmt: skip


def arrivals(trace: Trace, setting: Setting) -> Iterator[Violation]:
    """A lock that declares LOCK_FIFO arrival serves a processor before one that has arrived
    earlier. Between the beginning and the end of the access by which it arrives the order is
    free."""
    if not setting.fifo:
        return
    turns: dict[int, list[tuple[Probe, Access]]] = defaultdict(list)  # lock -> as acquired
    for probe, arrival in waits(trace):
        if arrival is None:
            continue
        for earlier, other in turns[probe.operand]:
            if earlier.processor != probe.processor and arrival.order_ps < other.t_ps:
                yield Violation(
                    probe.t_ps, "order", (earlier.processor, probe.processor), probe.operand,
                    f"processor {earlier.processor} gets {{name}} before processor "
                    f"{probe.processor}, which arrived earlier",
                )  # fmt: skip
        turns[probe.operand].append((probe, arrival))


def waits(trace: Trace) -> Iterator[tuple[Probe, Access | None]]:
    """Each acquisition after an attempt, in order of time, with the access by which the processor
    arrived: its first read-modify-write in between, or else its first store."""
    by_processor: dict[int, list[Access]] = defaultdict(list)
    for access in trace.accesses:
        if access.locked or access.write:
            by_processor[access.processor].append(access)
    for mine in by_processor.values():
        mine.sort(key=lambda access: access.access)
    attempts: dict[tuple[int, int], Probe] = {}
    for probe in trace.probes:
        place = (probe.operand, probe.processor)
        if probe.kind == ATTEMPT:
            attempts[place] = probe
        elif probe.kind == ACQUIRED and place in attempts:
            since_ps = attempts.pop(place).t_ps
            mine = by_processor[probe.processor]
            between = [a for a in mine if since_ps <= a.t_ps <= probe.t_ps]
            first = between[0] if between else None
            yield probe, next((a for a in between if a.locked), first)


def guarded(trace: Trace, setting: Setting) -> Iterator[Violation]:
    """Memory that a lock guards (CHECKED_GUARDED) is touched by a processor without the lock."""
    if not setting.guarded:
        return
    low = min(one.begin for one in setting.guarded)
    high = max(one.end for one in setting.guarded)
    held: dict[int, list[tuple[int, int, int]]] = {}  # lock -> (processor, from_ps, to_ps)
    for access in trace.accesses:
        if not low - access.size < access.address < high:
            continue
        for one in setting.guarded:
            if access.address >= one.end or access.address + access.size <= one.begin:
                continue
            if one.lock not in held:
                held[one.lock] = sections(trace, one.lock)
            p, t = access.processor, access.t_ps
            if not any(mine == p and begin <= t <= end for mine, begin, end in held[one.lock]):
                verb = "writes" if access.write else "reads"
                what = f"processor {p} {verb} {{name}} without the lock that guards it"
                yield Violation(t, "guarded", (p,), access.address, what)


def sections(trace: Trace, lock: int) -> list[tuple[int, int, int]]:
    """(processor, acquired_ps, release_ps) of each section of the lock. One whose beginning or end
    is not in the trace is open there."""
    found, begun = [], {}
    for probe in trace.probes:
        if probe.operand != lock:
            continue
        if probe.kind == ACQUIRED:
            begun[probe.processor] = probe.t_ps
        elif probe.kind == RELEASE:
            found.append((probe.processor, begun.pop(probe.processor, 0), probe.t_ps))
    return found + [(processor, begin, NEVER) for processor, begin in begun.items()]


def freed(trace: Trace, setting: Setting) -> Iterator[Violation]:
    """An object is touched after it was given back (probe points memory_free and memory_used), by a
    processor other than the one that gave it back."""
    marks = [probe for probe in trace.probes if probe.kind in (MEMORY_FREE, MEMORY_USED)]
    free: dict[int, tuple[Probe, int]] = {}  # first byte -> by whom, and the end of the object
    spans = []  # (begin, end, from_ps, to_ps, owner)
    for probe in marks:
        begin = probe.operand
        if begin in free:
            by, end = free.pop(begin)
            spans.append((begin, end, by.t_ps, probe.t_ps, by.processor))
        if probe.kind == MEMORY_FREE:
            free[begin] = (probe, begin + _object_size(begin, setting.objects))
    spans += [(begin, end, by.t_ps, NEVER, by.processor) for begin, (by, end) in free.items()]
    if not spans:
        return
    for access in trace.accesses:
        for begin, end, from_ps, to_ps, owner in spans:
            if (
                access.processor != owner
                and access.address < end
                and begin < access.address + access.size
                and from_ps < access.order_ps < to_ps
            ):
                verb = "writes" if access.write else "reads"
                p = access.processor
                what = f"processor {p} {verb} {{name}}, which processor {owner} has given back"
                yield Violation(access.order_ps, "freed", (p, owner), access.address, what)


def _object_size(address: int, objects: tuple[Objects, ...]) -> int:
    """In bytes; a word of 4 if no CHECKED_OBJECTS declares the object."""
    return next((one.size for one in objects if one.begin <= address < one.end), 4)


def ending(trace: Trace, setting: Setting) -> Iterator[Violation]:
    """The run did not end well: deadlock, time limit, failure or exit status of the guest."""
    status, message = trace.status, trace.message.strip().splitlines()
    said = f": {message[-1]}" if message else ""
    waiting = tuple(waiters(trace))
    if status == "deadlock":
        yield Violation(trace.end_ps, "deadlock", waiting, 0, f"all processors wait{said}")
    elif status == "time-limit":
        who = " and ".join(map(str, waiting))
        what = f"processor {who} waits for ever" if waiting else "the program does not end"
        yield Violation(trace.end_ps, "waits-for-ever", waiting, 0, what)
    elif status == "guest-failure":
        yield Violation(trace.end_ps, "guest-failure", (), 0, f"the guest failed{said}")
    elif trace.exit_status != 0:
        what = f"the program ended with status {trace.exit_status}{said}"
        yield Violation(trace.end_ps, "exit-status", (), 0, what)


def waiters(trace: Trace) -> list[int]:
    """The processors that have attempted a lock and did not get it, in order."""
    waits: dict[int, int | None] = {}
    for probe in trace.probes:
        if probe.kind == ATTEMPT:
            waits[probe.processor] = probe.operand
        elif probe.kind in (ACQUIRED, RELEASE):
            waits[probe.processor] = None
    return sorted(processor for processor, lock in waits.items() if lock is not None)


RULES: dict[str, Rule] = {
    "exclusion": exclusion,
    "probe-order": probe_order,
    "starvation": starvation,
    "order": arrivals,
    "guarded": guarded,
    "freed": freed,
    "ending": ending,
}


def first_violation(trace: Trace, setting: Setting) -> Violation | None:
    """The violation that shows first, of the rules that are not ignored; None if there is none."""
    found = [
        violation
        for rule in RULES.values()
        for violation in rule(trace, setting)
        if violation.rule not in setting.ignored
    ]
    return min(found, default=None)
