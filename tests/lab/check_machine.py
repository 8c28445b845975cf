# SPDX-License-Identifier: MIT
"""A small machine that runs toy programs under a schedule, as `symsim CONFIG --schedules` does.

A program is a list of generators, one per processor, which yield operations:

    value = yield "load", address
    yield "store", address, value
    value = yield "xchg", address, value
    yield "probe", kind, operand

Each takes STEP_PS. `python check_machine.py NAME --schedules` speaks the simulator's protocol. The
functions `interleavings` and `buffered_outcomes` find all outcomes by brute force: they are the
oracle for the search.
"""

import json
import sys
from collections.abc import Callable, Generator, Sequence
from typing import Any

from symlab.check.schedule import HOLD, STORES, Schedule, parse, text

STEP_PS = 100_000
BUFFER_PS = 150_000  # how long a store is in the write buffer
BEGIN_PS = 5_000_000
LIMIT_PS = 3_000_000_000
Thread = Callable[[], Generator[tuple[Any, ...], int, Any]]


class Machine:
    """`threads`: one per processor. `check`: (results of the threads, memory) -> exit status.
    `buffered`: whether stores go through a write buffer, which loads overtake."""

    def __init__(
        self,
        threads: Sequence[Thread],
        check: Callable[[list[Any], dict[int, int]], int] = lambda *_: 0,
        buffered: bool = False,
        limit_ps: int = LIMIT_PS,
    ) -> None:
        self.threads, self.check, self.buffered = threads, check, buffered
        self.limit_ps = limit_ps
        self.outcomes: set[Any] = set()  # of the runs that finished
        self.runs = 0

    def run_all(self, schedules: Sequence[Schedule]) -> list[dict[str, Any]]:
        return [self.run(one) for one in schedules]

    def run(self, schedule: Schedule) -> dict[str, Any]:
        self.runs += 1
        return _Run(self, schedule).result()


class _Run:
    def __init__(self, machine: Machine, schedule: Schedule) -> None:
        self.machine, self.schedule = machine, schedule
        n = len(machine.threads)
        self.threads = [thread() for thread in machine.threads]
        self.next = [next(thread, None) for thread in self.threads]
        self.results: list[Any] = [None] * n
        self.clock = [BEGIN_PS] * n
        self.accesses = [0] * n
        self.memory: dict[int, int] = {}
        self.buffers: list[list[list[Any]]] = [
            [] for _ in range(n)
        ]  # [done, address, value, event]
        self.stores_until = [0] * n
        self.holds: list[list[int] | None] = [None] * len(schedule)
        self.events: list[list[int]] = []
        self.reads: list[dict[tuple[int, int], tuple[int, int]]] = [{} for _ in range(n)]
        self.changes: dict[int, int] = {}

    def result(self) -> dict[str, Any]:
        status = "finished"
        while True:
            alive = [(self.clock[p], p) for p in range(len(self.threads)) if self.next[p]]
            if not alive:
                break
            t, p = min(alive)
            if t > self.machine.limit_ps:
                status = "time-limit"
                break
            self.step(t, p)
        end = min(max(self.clock), self.machine.limit_ps)
        self.drain(1 << 62)
        code = 0
        if status == "finished":
            key = (tuple(self.results), tuple(sorted(self.memory.items())))
            self.machine.outcomes.add(key)
            code = self.machine.check(self.results, self.memory)
        return {
            "schedule": text(self.schedule),
            "status": status,
            "exit_status": code,
            "message": "",
            "begin_ps": BEGIN_PS,
            "end_ps": end,
            "holds": self.holds,
            "positions": [[0, 0, a, f"thread{p}"] for p, a in enumerate(self.accesses)],
            "events": [number for event in self.events for number in event],
        }

    def step(self, t: int, p: int) -> None:
        operation = self.next[p]
        assert operation is not None
        if operation[0] != "probe" and self.held(t, p):
            return
        self.drain(t)
        thread: Any = self.threads[p]  # a generator, whose frame typing.Generator does not have
        eip = thread.gi_frame.f_lineno
        self.clock[p] = t + STEP_PS
        answer = getattr(self, operation[0])(t, p, eip, *operation[1:])
        try:
            self.next[p] = self.threads[p].send(answer)
        except StopIteration as end:
            self.next[p], self.results[p] = None, end.value

    def held(self, t: int, p: int) -> bool:
        number = self.accesses[p] + 1
        for at, entry in enumerate(self.schedule):
            if (entry.processor, entry.position) != (p, number) or self.holds[at] is not None:
                continue
            end = t + entry.delay_ns * 1000
            self.holds[at] = [t, end]
            if entry.action == HOLD:
                self.clock[p] = end
                return True
            assert entry.action == STORES
            self.stores_until[p] = end
        return False

    def drain(self, t: int) -> None:
        """Performs the stores whose time has come."""
        due = [(store[0], p) for p, buffer in enumerate(self.buffers) for store in buffer]
        for done, p in sorted(due):
            if done <= t:
                self.perform(self.buffers[p].pop(0))

    def perform(self, store: list[Any]) -> None:
        done, address, value, event = store
        self.memory[address] = value
        self.changes[address] = self.changes.get(address, 0) + 1
        event[7] = done

    def log(self, t: int, p: int, kind: int, address: int, value: int, done: int, eip: int) -> Any:
        self.events.append([t, p, kind, address, 4, value, self.accesses[p], done, eip])
        return self.events[-1]

    def load(self, t: int, p: int, eip: int, address: int) -> int:
        self.accesses[p] += 1
        mine = [store[2] for store in self.buffers[p] if store[1] == address]
        value = mine[-1] if mine else self.memory.get(address, 0)
        seen = (value, self.changes.get(address, 0))
        if self.reads[p].get((eip, address)) != seen:
            self.log(t, p, 0, address, value, t, eip)
        self.reads[p][eip, address] = seen
        return value

    def store(self, t: int, p: int, eip: int, address: int, value: int) -> int:
        self.accesses[p] += 1
        self.reads[p].clear()
        event = self.log(t, p, 1, address, value, -1, eip)
        done = t
        if self.machine.buffered:
            before = self.buffers[p][-1][0] if self.buffers[p] else 0
            done = max(t + BUFFER_PS, self.stores_until[p], before)
        self.buffers[p].append([done, address, value, event])
        self.drain(t)
        return 0

    def xchg(self, t: int, p: int, eip: int, address: int, value: int) -> int:
        self.stores_until[p] = 0
        for buffered in self.buffers[p]:
            buffered[0] = t
        self.drain(t)
        self.accesses[p] += 1
        old = self.memory.get(address, 0)
        seen = (old, self.changes.get(address, 0))
        new = self.reads[p].get((eip, address)) != seen or old != value
        if new:
            self.log(t, p, 2, address, old, t, eip)
        self.accesses[p] += 1
        if new:
            self.log(t, p, 3, address, value, t, eip)
        if old != value:
            self.reads[p].clear()
            self.changes[address] = self.changes.get(address, 0) + 1
        self.reads[p][eip, address] = seen
        self.memory[address] = value
        return old

    def probe(self, t: int, p: int, eip: int, kind: int, operand: int) -> int:
        self.reads[p].clear()
        self.clock[p] = t  # takes no time
        self.log(t, p, 256 + kind, 0, operand, t, eip)
        return 0


def interleavings(threads: Sequence[Thread], most: int | None = None) -> set[Any]:
    """The outcomes (results, memory) of all interleavings with sequentially consistent memory;
    only those with at most `most` preemptions if it is given. No program may spin."""
    outcomes: set[Any] = set()
    n = len(threads)

    def replay(path: list[int]) -> tuple[list[Any], list[Any], dict[int, int]]:
        running = [thread() for thread in threads]
        following: list[Any] = [next(thread, None) for thread in running]
        results: list[Any] = [None] * n
        memory: dict[int, int] = {}
        for p in path:
            kind, *words = following[p]
            answer = 0
            if kind in ("load", "xchg"):
                answer = memory.get(words[0], 0)
            if kind in ("store", "xchg"):
                memory[words[0]] = words[1]
            try:
                following[p] = running[p].send(answer)
            except StopIteration as end:
                following[p], results[p] = None, end.value
        return following, results, memory

    def go(path: list[int], used: int) -> None:
        following, results, memory = replay(path)
        alive = [p for p in range(n) if following[p]]
        if not alive:
            outcomes.add((tuple(results), tuple(sorted(memory.items()))))
        for p in alive:
            cost = bool(path) and path[-1] != p and path[-1] in alive
            if most is None or used + cost <= most:
                go([*path, p], used + cost)

    go([], 0)
    return outcomes


def buffered_outcomes(threads: Sequence[Thread]) -> set[Any]:
    """As `interleavings`, with a write buffer (first in, first out) per processor: all outcomes of
    total store order."""
    outcomes: set[Any] = set()
    n = len(threads)

    def replay(path: list[int]) -> tuple[list[Any], list[Any], dict[int, int], list[Any]]:
        running = [thread() for thread in threads]
        following: list[Any] = [next(thread, None) for thread in running]
        results: list[Any] = [None] * n
        memory: dict[int, int] = {}
        buffers: list[list[tuple[int, int]]] = [[] for _ in range(n)]
        for step in path:
            if step < 0:  # the oldest store of processor -1-step is performed
                address, value = buffers[-1 - step].pop(0)
                memory[address] = value
                continue
            kind, *words = following[step]
            answer = 0
            if kind == "load":
                mine = [value for address, value in buffers[step] if address == words[0]]
                answer = mine[-1] if mine else memory.get(words[0], 0)
            elif kind == "store":
                buffers[step].append((words[0], words[1]))
            elif kind == "xchg":
                answer = memory.get(words[0], 0)
                memory[words[0]] = words[1]
            try:
                following[step] = running[step].send(answer)
            except StopIteration as end:
                following[step], results[step] = None, end.value
        return following, results, memory, buffers

    def go(path: list[int]) -> None:
        following, results, memory, buffers = replay(path)
        steps = [-1 - p for p in range(n) if buffers[p]]
        steps += [
            p for p in range(n)
            if following[p] and not (following[p][0] == "xchg" and buffers[p])
        ]  # fmt: skip
        if not steps:
            outcomes.add((tuple(results), tuple(sorted(memory.items()))))
        for step in steps:
            go([*path, step])

    go([])
    return outcomes


# Toy programs. Addresses are multiples of 4.
X, Y, Z, LOCK, COUNT = 0x1000, 0x2000, 0x3000, 0x4000, 0x5000
ATTEMPT, ACQUIRED, RELEASE = 1, 2, 3


def lock_thread(turns: int = 1, atomic: bool = True, release: bool = True) -> Thread:
    """Acquires a test-and-set lock and increments a counter. `atomic`: False takes it by a load
    and a store. `release`: False forgets to release it."""

    def run() -> Generator[tuple[Any, ...], int, Any]:
        for _ in range(turns):
            yield "probe", ATTEMPT, LOCK
            while True:
                if atomic:
                    if not (yield "xchg", LOCK, 1):
                        break
                elif not (yield "load", LOCK):
                    yield "store", LOCK, 1
                    break
            yield "probe", ACQUIRED, LOCK
            value = yield "load", COUNT
            yield "store", COUNT, value + 1
            yield "probe", RELEASE, LOCK
            if release:
                yield "xchg", LOCK, 0
        return 0

    return run


def flag_thread(mine: int, other: int) -> Thread:
    """Dekker's entry: store my flag, read the other's."""

    def run() -> Generator[tuple[Any, ...], int, Any]:
        yield "store", mine, 1
        return (yield "load", other)

    return run


def counted(turns: int, n: int) -> Callable[[list[Any], dict[int, int]], int]:
    return lambda _, memory: int(memory.get(COUNT, 0) != turns * n)


PROGRAMS: dict[str, Callable[[], Machine]] = {
    "lock": lambda: Machine([lock_thread(2)] * 2, counted(2, 2)),
    "broken": lambda: Machine([lock_thread(2, atomic=False)] * 2, counted(2, 2)),
}


def serve(machine: Machine) -> None:
    for line in sys.stdin:
        print(json.dumps(machine.run(parse(line))), flush=True)


if __name__ == "__main__":
    if sys.argv[1] not in PROGRAMS:
        print(f"no program {sys.argv[1]}", file=sys.stderr)
        sys.exit(2)
    serve(PROGRAMS[sys.argv[1]]())
