# SPDX-License-Identifier: MIT
"""Rules that a run must keep, each a function that yields its violations in one run; and the worst
cases of its locks: the longest handoff, the longest wait, unfairness.

Locks are known by their probe points (guest/include/probes.h): a processor is in the section from
lock_acquired to lock_release, which are the first instruction after the acquisition and the
instruction that begins the release. So what they find is really too many in the section.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from typing import NamedTuple

from symlab.checks.elf import Guarded, Objects
from symlab.checks.trace import NEVER, Access, Probe, Trace

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
