# SPDX-License-Identifier: MIT
"""Runs schedules and judges them: what a worker process does, on this host or on a cluster's. Tally
is what is known after the runs so far."""

import ctypes
import signal
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import Any, NamedTuple, Protocol

from symlab.checks.batch import Batch
from symlab.checks.rules import Setting, Violation, Worst, first_violation, worst_of
from symlab.checks.schedule import Schedule
from symlab.checks.search import Bounds, children, lengthened, preemptions, unquiet
from symlab.checks.trace import Trace

PR_SET_PDEATHSIG = 1  # linux/prctl.h
MOST_SENT = 100_000  # schedules that a worker remembers, each of some 400 bytes


class Plan(NamedTuple):
    """`command`: of the simulator, with --schedules. `patient`: the same with a later run.limit_ms,
    for runs that reach the limit. `expand`: whether the search is exhaustive: schedules follow from
    runs, and a hold that ends too early is lengthened."""

    command: tuple[str, ...]
    patient: tuple[str, ...]
    setting: Setting
    bounds: Bounds
    expand: bool = True


class Judged(NamedTuple):
    """One run. `schedule`: as asked. `ran`: as it was run, with longer delays if others needed it.
    `order`: see Trace.order. `length_ps`: of the checked part. `unquiet`: others still made
    progress at the end of a hold. `said`: the failure's text, or the last line of the console.
    `follows`: further schedules."""

    schedule: Schedule
    ran: Schedule
    status: str
    said: str
    order: int
    length_ps: int
    unquiet: bool
    violation: Violation | None
    worst: Worst
    follows: tuple[Schedule, ...]


class Runs(Protocol):
    """What runs schedules: a Batch."""

    def run_all(self, schedules: Sequence[Schedule]) -> list[dict[str, Any]]: ...


class Worker:
    """Judges schedules by a simulator of its own. It leaves out following schedules that it has
    given before, which saves time, unless it `repeats`: its results may then be taken in another
    order than they were made."""

    def __init__(
        self, plan: Plan, runs: Runs, patient: Runs | None = None, repeats: bool = False
    ) -> None:
        self._plan = plan
        self._runs = runs
        self._patient = patient
        self._repeats = repeats
        self._sent: set[Schedule] = set()

    def judge(self, schedules: Sequence[Schedule]) -> list[Judged]:
        """Raises as Batch.run_all does."""
        results = self._runs.run_all(schedules)
        return [self._judged(*pair) for pair in zip(schedules, results, strict=True)]

    def trace(self, schedule: Schedule) -> Trace:
        """The run of one schedule, as it is judged."""
        return self._settled(schedule, self._runs.run_all([schedule])[0])

    def _settled(self, schedule: Schedule, result: dict[str, Any]) -> Trace:
        """The trace; a run that reached the limit gets more time, to see whether it ends."""
        if result["status"] == "time-limit" and self._plan.patient:
            if self._patient is None:
                self._patient = Batch(self._plan.patient)
            result = self._patient.run_all([schedule])[0]
        return Trace(result)

    def _judged(self, schedule: Schedule, result: dict[str, Any]) -> Judged:
        plan = self._plan
        ran, trace = schedule, self._settled(schedule, result)
        restless = plan.expand and unquiet(ran, trace, plan.bounds)
        if restless:
            ran = lengthened(schedule)
            trace = self.trace(ran)
            restless = unquiet(ran, trace, plan.bounds)
        follows: list[Schedule] = []
        if plan.expand:
            follows = [s for s in children(ran, trace, plan.bounds) if s not in self._sent]
            if not self._repeats:
                if len(self._sent) > MOST_SENT:
                    self._sent.clear()
                self._sent.update(follows)
        return Judged(
            schedule, ran, trace.status, trace.message, trace.order(),
            trace.end_ps - trace.begin_ps, restless,
            first_violation(trace, plan.setting),
            worst_of(trace, [entry.processor for entry in ran]),
            tuple(follows),
        )  # fmt: skip


def serve(plan: Plan, connection: Connection) -> None:
    """What a worker process does: receives schedules, sends their results or the error. Ctrl-C is
    for the parent process, and Linux kills this one if the parent is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    mine = Worker(plan, Batch(plan.command))
    while True:
        schedules = connection.recv()
        try:
            connection.send(mine.judge(schedules))
        except Exception as error:
            connection.send(error)


@dataclass
class Tally:
    """`schedules`: runs. `orders`: distinct orders of accesses. `by_preemptions`: runs by number of
    preemptions. `unquiet`: runs in which others still made progress at the end of a hold, although
    it was lengthened. `outcomes`: runs by status and the last line that the program printed: for a
    litmus test, all that can happen within the bounds. `worst`: the schedule that shows each worst
    case, and its value."""

    schedules: int = 0
    orders: set[int] = field(default_factory=set)
    by_preemptions: Counter[int] = field(default_factory=Counter)
    lengthened: int = 0
    unquiet: int = 0
    outcomes: Counter[tuple[str, str]] = field(default_factory=Counter)
    violation: Judged | None = None
    worst: dict[str, tuple[int, Schedule]] = field(default_factory=dict)

    def add(self, judged: Judged) -> None:
        self.schedules += 1
        self.orders.add(judged.order)
        self.by_preemptions[preemptions(judged.schedule)] += 1
        self.outcomes[judged.status, judged.said] += 1
        self.lengthened += judged.ran != judged.schedule
        self.unquiet += judged.unquiet
        for name, value in zip(Worst._fields, judged.worst, strict=True):
            if value > self.worst.get(name, (0, ()))[0]:
                self.worst[name] = (value, judged.ran)
        if judged.violation and self.violation is None:
            self.violation = judged
