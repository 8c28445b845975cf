# SPDX-License-Identifier: MIT
"""The search finds each outcome that a brute force over all interleavings finds."""

from collections.abc import Generator, Sequence
from typing import Any

import pytest
from check_machine import (
    Machine,
    Thread,
    X,
    Y,
    Z,
    buffered_outcomes,
    counted,
    flag_thread,
    interleavings,
    lock_thread,
)  # fmt: skip
from symlab.check.driver import search
from symlab.check.frontier import Draws, Frontier
from symlab.check.random import Pct, places_of
from symlab.check.random import schedule as drawn
from symlab.check.rules import Setting
from symlab.check.schedule import Schedule, text
from symlab.check.search import Bounds, children, interrupts, starts
from symlab.check.tally import Tally
from symlab.check.trace import Trace
from symlab.check.worker import Plan, Worker


class Done:
    def __init__(self, value: Any) -> None:
        self.value = value

    def result(self, seconds: float | None = None) -> Any:
        return self.value


class Inline:
    """A pool of this process. `workers`: how many groups are handed out ahead of their results."""

    def __init__(self, worker: Worker, workers: int = 1) -> None:
        self.worker, self.workers = worker, workers

    def submit(self, schedules: Sequence[Schedule]) -> Done:
        return Done(self.worker.judge(schedules))

    def close(self) -> None:
        pass


def searched(
    machine: Machine, preemptions: int, stores: bool = False, workers: int = 1
) -> tuple[Tally, bool]:
    first = Trace(machine.run(()))
    quiet_ns = 2 * (first.end_ps - first.begin_ps) // 1000
    bounds = Bounds(len(machine.threads), preemptions, quiet_ns, stores)
    worker = Worker(Plan((), (), Setting(), bounds), machine)
    source = Frontier(starts(bounds), preemptions)
    return search(source, Inline(worker, workers), None, None, lambda *_: None)


def straight(*operations: tuple[Any, ...]) -> Thread:
    """A thread without branches; it returns what it has read."""

    def run() -> Generator[tuple[Any, ...], int, Any]:
        read = []
        for operation in operations:
            value = yield operation
            if operation[0] in ("load", "xchg"):
                read.append(value)
        return tuple(read)

    return run


def branching() -> Generator[tuple[Any, ...], int, Any]:
    """Accesses that depend on what was read."""
    if (yield "load", X):
        yield "store", Y, 5
        return (yield "load", Z)
    yield "store", Z, 7
    return (yield "xchg", Y, 9)


TWO = {
    "counter": [straight(("load", X), ("store", X, 1)), straight(("load", X), ("store", X, 2))],
    "three words": [
        straight(("store", X, 1), ("load", Y), ("store", Z, 1), ("load", X)),
        straight(("store", Y, 1), ("load", X), ("store", Z, 2), ("load", Z)),
    ],
    "branches": [branching, straight(("store", X, 1), ("load", Y), ("load", Z), ("store", X, 0))],
    "exchanges": [
        straight(("xchg", X, 1), ("load", Y), ("xchg", X, 2)),
        straight(("xchg", X, 3), ("store", Y, 1), ("xchg", X, 4)),
    ],
}
THREE = {
    "counter": [straight(("load", X), ("store", X, i)) for i in (1, 2, 3)],
    "chain": [
        straight(("store", X, 1), ("load", Y)),
        straight(("load", X), ("store", Y, 1)),
        straight(("load", Y), ("load", X), ("store", X, 2)),
    ],
    "branches": [
        branching, straight(("store", X, 1), ("load", Y)), straight(("store", Z, 3), ("load", X))
    ],
}  # fmt: skip


@pytest.mark.parametrize("name", TWO)
def test_two_processors_reach_every_outcome(name: str) -> None:
    machine = Machine(TWO[name])
    tally, complete = searched(machine, 6)
    assert complete and not tally.unquiet
    assert machine.outcomes == interleavings(TWO[name])


@pytest.mark.parametrize("name", TWO)
@pytest.mark.parametrize("most", [0, 1, 2])
def test_two_processors_reach_every_outcome_within_the_bound(name: str, most: int) -> None:
    machine = Machine(TWO[name])
    searched(machine, most)
    assert machine.outcomes >= interleavings(TWO[name], most)
    assert machine.outcomes <= interleavings(TWO[name])


@pytest.mark.parametrize("name", THREE)
@pytest.mark.parametrize("most", [0, 1, 2])
def test_three_processors_reach_every_outcome_within_the_bound(name: str, most: int) -> None:
    machine = Machine(THREE[name])
    searched(machine, most)
    assert machine.outcomes >= interleavings(THREE[name], most)
    assert machine.outcomes <= interleavings(THREE[name])


def test_a_smaller_bound_reaches_less() -> None:
    """The test above could not fail if each bound reached all."""
    name = "three words"
    found = []
    for most in (0, 1, 2):
        machine = Machine(TWO[name])
        searched(machine, most)
        found.append(len(machine.outcomes))
    assert found[0] < found[-1] <= len(interleavings(TWO[name]))


FLAGS = {
    "dekker": [flag_thread(X, Y), flag_thread(Y, X)],
    "message": [
        straight(("store", X, 1), ("store", Y, 1)), straight(("load", Y), ("load", X))
    ],
    "own first": [
        straight(("store", X, 1), ("load", X), ("load", Y)),
        straight(("store", Y, 1), ("load", Y), ("load", X)),
    ],
    "fenced": [
        straight(("store", X, 1), ("xchg", Z, 1), ("load", Y)),
        straight(("store", Y, 1), ("xchg", Z, 2), ("load", X)),
    ],
}  # fmt: skip


@pytest.mark.parametrize("name", FLAGS)
def test_held_stores_reach_every_outcome_of_total_store_order(name: str) -> None:
    machine = Machine(FLAGS[name], buffered=True)
    searched(machine, 4, stores=True)
    assert machine.outcomes == buffered_outcomes(FLAGS[name])


def test_without_held_stores_and_buffer_dekker_excludes() -> None:
    both = Machine(FLAGS["dekker"], lambda results, _: int(results == [0, 0]))
    tally, complete = searched(both, 4)
    assert complete and tally.violation is None
    weak = Machine(FLAGS["dekker"], lambda results, _: int(results == [0, 0]), buffered=True)
    tally, _ = searched(weak, 2, stores=True)
    assert tally.violation is not None


def test_a_lock_that_spins_is_found_right_and_one_without_exchange_wrong() -> None:
    tally, complete = searched(Machine([lock_thread(2)] * 2, counted(2, 2)), 2)
    assert complete and tally.violation is None and not tally.unquiet
    tally, complete = searched(Machine([lock_thread(1, atomic=False)] * 2, counted(1, 2)), 2)
    assert not complete and tally.violation is not None
    assert tally.violation.violation is not None
    assert tally.violation.violation.rule == "exclusion"


@pytest.mark.parametrize("workers", [2, 5])
def test_the_answer_does_not_depend_on_the_number_of_workers(workers: int) -> None:
    def answer(n: int) -> tuple[Any, ...]:
        machine = Machine([lock_thread(2, atomic=False)] * 3, counted(2, 3))
        tally, _ = searched(machine, 2, workers=n)
        return tally.schedules, tally.violation, tally.orders

    assert answer(workers) == answer(1)


def test_equal_orders_of_accesses_are_counted_once() -> None:
    apart = [straight(("store", X, 1)), straight(("store", Y, 1))]
    tally, _ = searched(Machine(apart), 3)
    assert len(tally.orders) == 1
    tally, _ = searched(Machine(TWO["counter"]), 3)
    assert len(tally.orders) > 3


def test_schedules_grow_by_what_conflicts() -> None:
    machine = Machine(TWO["counter"])
    trace = Trace(machine.run(()))
    bounds = Bounds(2, 1, 1000, False)
    found = [text(one) for one in children((), trace, bounds)]
    assert found == ["0 access 2 hold 1000"]
    assert children((), trace, bounds._replace(preemptions=0)) == []


def test_random_schedules_repeat_and_find_the_broken_lock() -> None:
    machine = Machine([lock_thread(2, atomic=False)] * 2, counted(2, 2))
    first = Trace(machine.run(()))
    pct = Pct(2, 2, 2 * (first.end_ps - first.begin_ps) // 1000, places_of(first))
    assert [drawn(pct, 7, i) for i in range(20)] == [drawn(pct, 7, i) for i in range(20)]
    assert len({drawn(pct, 7, i) for i in range(20)}) > 5
    worker = Worker(Plan((), (), Setting(), Bounds(2, 0, pct.quiet_ns), False), machine)
    tally, _ = search(Draws(pct, 1), Inline(worker), None, None, lambda *_: None)
    assert tally.violation is not None
    assert tally.schedules < 10 / pct.bound


def test_interrupts_come_after_each_instruction() -> None:
    result = Machine(TWO["counter"]).run(())
    result["positions"] = [[0, 2, 2, ""], [0, 1, 2, ""]]
    assert [text(one) for one in interrupts(Trace(result))] == [
        "0 instruction 1 interrupt",
        "0 instruction 2 interrupt",
        "1 instruction 1 interrupt",
    ]


def test_three_processors_begin_in_each_order_with_room_between() -> None:
    found = starts(Bounds(3, 2, 10))
    assert len(found) == 7 and found[0] == ()
    assert text(found[1]) == "1 access 1 hold 40, 2 access 1 hold 80"
    assert [text(one) for one in starts(Bounds(2, 2, 10))[1:]] == [
        "1 access 1 hold 10",
        "0 access 1 hold 10",
    ]
