# SPDX-License-Identifier: MIT
"""Each rule sees a run that breaks it, and lets a similar one pass."""

from collections.abc import Sequence
from typing import Any

import pytest
from symlab.check.elf import Guarded, Objects
from symlab.check.rules import Setting, Violation, first_violation, waiters
from symlab.check.trace import PROBE, Trace
from symlab.check.worst import Worst, worst_of

LOCK, DATA = 0x1000, 0x2000
ATTEMPT, ACQUIRED, RELEASE, FREE, USED = (PROBE + kind for kind in (1, 2, 3, 34, 35))
LOAD, STORE, LOCKED_LOAD, LOCKED_STORE = range(4)
Event = tuple[int, ...]


def run(*events: Event, status: str = "finished", holds: Any = (), **more: Any) -> Trace:
    """A run of events (us, processor, kind, address or operand, value[, done_us])."""
    flat: list[int] = []
    for number, (us, processor, kind, address, *rest) in enumerate(events, 1):
        value, done = (*rest, 0, us)[0], (*rest, us)[1] if len(rest) > 1 else us
        place = (0, 0, address) if kind >= PROBE else (address, 4, value)
        times = (number, done * 1_000_000 if done >= 0 else -1, 0x80 + number)
        if kind == LOCKED_STORE:
            times = (number, times[1], 0x80 + number - 1)
        flat += [us * 1_000_000, processor, kind, *place, *times]
    result = {
        "status": status, "exit_status": 0, "message": "", "begin_ps": 0, "end_ps": 99_000_000,
        "holds": list(holds), "positions": [], "events": flat,
    }  # fmt: skip
    return Trace(result | more)


def broken(trace: Trace, **setting: Any) -> Violation | None:
    return first_violation(trace, Setting(**setting))


def rule(trace: Trace, **setting: Any) -> str | None:
    found = broken(trace, **setting)
    return found.rule if found else None


def section(p: int, begin: int, end: int) -> list[Event]:
    return [(begin, p, ATTEMPT, LOCK), (begin + 1, p, ACQUIRED, LOCK), (end, p, RELEASE, LOCK)]


def merged(*parts: Sequence[Event]) -> list[Event]:
    return sorted(event for part in parts for event in part)


def test_two_in_the_section() -> None:
    assert rule(run(*merged(section(0, 1, 5), section(1, 6, 9)))) is None
    found = broken(run(*merged(section(0, 1, 5), section(1, 2, 9))))
    assert found is not None
    assert (found.rule, found.processors, found.address) == ("exclusion", (0, 1), LOCK)
    assert found.t_ps == 3_000_000


def test_locks_are_apart() -> None:
    other = [(us, p, kind, LOCK + 64) for us, p, kind, _ in section(1, 2, 9)]
    assert rule(run(*merged(section(0, 1, 5), other))) is None


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        ([(1, 0, RELEASE, LOCK)], None),  # acquired before the log begins
        ([*section(0, 1, 5), (6, 0, RELEASE, LOCK)], "probe-order"),
        ([*section(0, 1, 5), (6, 0, ACQUIRED, LOCK)], "probe-order"),
        ([(1, 0, ATTEMPT, LOCK), (2, 0, RELEASE, LOCK)], "probe-order"),
        ([(1, 0, ATTEMPT, LOCK), *section(0, 2, 5)], None),  # one attempt was given up
    ],
)
def test_probe_orders_that_cannot_be(events: list[Event], expected: str | None) -> None:
    assert rule(run(*events)) == expected


def test_starvation_has_a_bound() -> None:
    events = [(1, 1, ATTEMPT, LOCK), *section(0, 2, 4), *section(0, 5, 7), *section(0, 8, 10)]
    assert rule(run(*events)) is None
    assert rule(run(*events), handoffs=3) is None
    assert rule(run(*events), handoffs=2) == "starvation"


def exchange(us: int, p: int, done: int, value: int) -> list[Event]:
    return [(us, p, LOCKED_LOAD, LOCK, 0), (us, p, LOCKED_STORE, LOCK, value, done)]


@pytest.mark.parametrize(("second", "expected"), [(4, "order"), (3, None)])
def test_order_of_arrival(second: int, expected: str | None) -> None:
    """Processor 1 exchanges from 2 us to 3 us and is served after processor 0, which exchanges
    from `second` on: an inversion only if that is later."""
    events = [
        (1, 1, ATTEMPT, LOCK), *exchange(2, 1, 3, 1), (2, 0, ATTEMPT, LOCK),
        *exchange(second, 0, 5, 2), (6, 0, ACQUIRED, LOCK), (7, 0, RELEASE, LOCK),
        (8, 1, ACQUIRED, LOCK),
    ]  # fmt: skip
    assert rule(run(*events), fifo=True) == expected
    assert rule(run(*events), fifo=False) is None
    assert rule(run(*events), fifo=True, ignored=frozenset({"order"})) is None


def test_guarded_memory_needs_its_lock() -> None:
    guard = (Guarded(DATA, DATA + 8, LOCK),)
    inside = [*section(0, 1, 5)[:2], (3, 0, STORE, DATA + 4, 1, 9), (5, 0, RELEASE, LOCK)]
    assert rule(run(*inside), guarded=guard) is None
    assert rule(run(*inside, (6, 1, LOAD, DATA + 4, 1)), guarded=guard) == "guarded"
    assert rule(run(*inside, (6, 1, LOAD, DATA + 8, 1)), guarded=guard) is None
    assert rule(run(*inside, (6, 0, LOAD, DATA, 1)), guarded=guard) == "guarded"


def test_objects_that_were_given_back() -> None:
    objects = (Objects(DATA, DATA + 64, 32),)
    freed = [(1, 0, FREE, DATA + 32), (9, 0, USED, DATA + 32)]
    late = (5, 1, LOAD, DATA + 60, 0)
    assert rule(run(*merged(freed, [late])), objects=objects) == "freed"
    assert rule(run(*merged(freed, [(10, *late[1:])])), objects=objects) is None
    assert rule(run(*merged(freed, [(5, 0, *late[2:])])), objects=objects) is None
    assert rule(run(*merged(freed, [(5, 1, LOAD, DATA, 0)])), objects=objects) is None
    store = (0, 1, STORE, DATA + 32, 1, 4)  # issued before, in memory after it was given back
    assert rule(run(*merged(freed, [store])), objects=objects) == "freed"
    assert rule(run(freed[0], late), objects=()) is None  # a word of 4 bytes
    assert rule(run(freed[0], (5, 1, LOAD, DATA + 32, 0))) == "freed"


def test_endings() -> None:
    waits = [*section(0, 1, 5), (6, 1, ATTEMPT, LOCK)]
    assert rule(run(*waits)) is None
    found = broken(run(*waits, status="time-limit"))
    assert found is not None and found.rule == "waits-for-ever" and found.processors == (1,)
    assert waiters(run(*waits)) == [1]
    assert rule(run(status="deadlock")) == "deadlock"
    assert rule(run(status="guest-failure", message="page fault")) == "guest-failure"
    found = broken(run(exit_status=1, message="the counter is 3"))
    assert found is not None and found.rule == "exit-status" and "counter is 3" in found.what


def test_the_first_violation_counts() -> None:
    found = rule(run(*merged(section(0, 1, 5), section(1, 2, 9)), status="deadlock"))
    assert found == "exclusion"


def arriving(attempt: int, acquired: int) -> list[tuple[int, ...]]:
    """Processor 1 attempts, arrives by an exchange right after, and acquires."""
    return [
        (attempt, 1, ATTEMPT, LOCK),
        *exchange(attempt + 1, 1, 1, 1),
        (acquired, 1, ACQUIRED, LOCK),
    ]


def test_worst_cases_leave_out_the_time_of_holds() -> None:
    events = merged(section(0, 1, 5), arriving(2, 15))
    free = worst_of(run(*events), [])
    assert free == Worst(handoff_ps=10_000_000, wait_handoffs=0, unfairness=0)
    held = run(*events, holds=[[6_000_000, 9_000_000]])
    assert worst_of(held, [1]).handoff_ps == 7_000_000
    both = run(*events, holds=[[6_000_000, 9_000_000], [7_000_000, 11_000_000]])
    assert worst_of(both, [1, 0]).handoff_ps == 5_000_000


def test_a_wait_is_counted_in_handoffs_after_the_arrival() -> None:
    events = merged(arriving(3, 20), section(0, 2, 4), section(0, 5, 8), section(2, 9, 10))
    assert worst_of(run(*events), [])[1:] == (2, 1)
    held = run(*events, holds=[[4_500_000, 7_000_000]])  # it misses one turn by itself
    assert worst_of(held, [1])[1:] == (1, 1)
    assert worst_of(run(*events, holds=[[4_500_000, 7_000_000]]), [0])[1:] == (2, 1)


def test_exchanges_are_one_access() -> None:
    trace = run(*exchange(1, 0, 2, 1), (3, 1, LOAD, LOCK, 1))
    assert [(a.processor, a.write, a.locked, a.access) for a in trace.accesses] == [
        (0, True, True, 1), (1, False, False, 3)
    ]  # fmt: skip
    assert [a.processor for a in trace.conflicts()] == [0]
    unchanged = run(*exchange(1, 0, 2, 0), (3, 1, LOAD, LOCK, 0))
    assert unchanged.conflicts() == []


def test_conflicts_need_common_bytes_of_two_processors() -> None:
    assert run((1, 0, STORE, DATA, 1), (2, 1, LOAD, DATA + 4, 0)).conflicts() == []
    assert run((1, 0, STORE, DATA, 1), (2, 0, LOAD, DATA, 1)).conflicts() == []
    assert len(run((1, 0, STORE, DATA + 2, 1), (2, 1, LOAD, DATA + 4, 0)).conflicts()) == 1
    late = run((1, 0, STORE, DATA, 1, 5), (2, 1, LOAD, DATA, 0))  # the load comes first
    assert [a.processor for a in late.conflicts()] == [1]


def test_the_order_of_reads_between_writes_does_not_count() -> None:
    a, b = (2, 0, LOAD, DATA, 1), (3, 1, LOAD, DATA, 1)
    write = (1, 0, STORE, DATA, 1)
    swapped = [(3, *a[1:]), (2, *b[1:])]
    assert run(write, a, b).order() == run(write, *sorted(swapped)).order()
    assert run(write, a, b).order() != run(a, b, (5, *write[1:])).order()
