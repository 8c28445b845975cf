# SPDX-License-Identifier: MIT
"""Runs a search on many workers, with the same result as on one.

Schedules are handed out and their results are taken in one order. A result adds schedules only at
the end, so the order does not depend on how many run at a time, and the first violation in this
order is the answer.

The workers of this host are processes, each with a simulator of its own. This process has no
threads: a fork is safe, and Ctrl-C can end all of it at any time. An executor of the standard
library would wait for a worker that was killed while it sent a result.
"""

import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from typing import Any, Protocol

from symlab.checks.journal import Journal
from symlab.checks.schedule import Schedule
from symlab.checks.sources import Source
from symlab.checks.worker import Judged, Plan, Tally, serve
from symlab.errors import LabError

GROUP = 8  # the most schedules per task: some milliseconds of work
TASK_S = 0.1  # host time of a task, if its runs are long
AHEAD = 4  # tasks per worker that wait for it
WAIT_S = 0.5  # host time between two calls of `progress`, at most
SENT = 2  # tasks that a worker has at a time, so that it never waits for the next one


class Pool(Protocol):
    """Where schedules are run. `workers`: how many run at a time."""

    workers: int

    # A future of list[Judged], whose result(seconds) raises TimeoutError.
    def submit(self, schedules: Sequence[Schedule]) -> Any: ...
    def close(self) -> None: ...  # ends what still runs


def group_of(run_s: float) -> int:
    """How many schedules to give a worker at a time. `run_s`: host time of one run."""
    return max(1, min(GROUP, round(TASK_S / max(run_s, 1e-6))))


def search(
    source: Source,
    pool: Pool,
    journal: Journal | None,
    until_s: float | None,
    progress: Callable[[Tally, Source], None],
    group: int = GROUP,
) -> tuple[Tally, bool]:
    """Runs the schedules of `source` until there are no more, one breaks a rule, or the host's
    monotonic clock is at `until_s`. Returns the tally and whether there are no more.

    The runs in the journal are not made again. `progress` is called after each group of `group`
    runs, and while one takes long. Raises as Batch.run_all does.
    """

    def results(future: Any) -> list[Judged] | None:
        while until_s is None or time.monotonic() < until_s:
            try:
                return future.result(WAIT_S)
            except TimeoutError:
                progress(tally, source)
        return None

    tally = Tally()
    earlier = deque(journal.earlier if journal else [])
    while earlier:
        taken = source.take(1)
        if not taken:
            if not source.advance():
                break
            continue
        judged = earlier.popleft()
        tally.add(judged)
        source.add(judged.follows)
    running: deque[Any] = deque()
    while tally.violation is None:
        while len(running) < AHEAD * pool.workers and (taken := source.take(group)):
            running.append(pool.submit(taken))
        if not running:
            if source.advance():
                continue
            return tally, source.whole
        if (done := results(running.popleft())) is None:
            break
        for judged in done:
            tally.add(judged)
            new = source.add(judged.follows)
            if journal:
                journal.add(judged, new)
            if judged.violation:
                break
        progress(tally, source)
    return tally, False


@dataclass(eq=False)
class Task:
    """Schedules, and their results once they are known, or the error instead."""

    pool: "LocalPool"
    schedules: Sequence[Schedule]
    answer: list[Judged] | Exception | None = None

    def result(self, seconds: float | None = None) -> list[Judged]:
        """Raises TimeoutError after `seconds`, LabError if the worker is lost, or as
        Batch.run_all does."""
        end_s = None if seconds is None else time.monotonic() + seconds
        while self.answer is None:
            left_s = None if end_s is None else end_s - time.monotonic()
            if left_s is not None and left_s <= 0:
                raise TimeoutError
            self.pool.receive(left_s)
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


class LocalPool:
    """`jobs`: how many workers. They begin tasks in the order of `submit`."""

    def __init__(self, plan: Plan, jobs: int) -> None:
        self.workers = jobs
        self._waiting: deque[Task] = deque()
        self._sent: dict[Connection, deque[Task]] = {}
        self._processes: list[Any] = []
        # fork: the lab's main module cannot be imported twice.
        context = get_context("fork")
        for _ in range(jobs):
            ours, theirs = context.Pipe()
            process = context.Process(target=serve, args=(plan, theirs), daemon=True)
            process.start()
            theirs.close()
            self._processes.append(process)
            self._sent[ours] = deque()

    def submit(self, schedules: Sequence[Schedule]) -> Task:
        task = Task(self, schedules)
        self._waiting.append(task)
        self._send()
        return task

    def receive(self, seconds: float | None) -> None:
        """Takes the results that come within `seconds`, None: waits for one."""
        ready: list[Any] = wait([c for c, sent in self._sent.items() if sent], seconds)
        for connection in ready:
            task = self._sent[connection].popleft()
            try:
                task.answer = connection.recv()
            except (EOFError, OSError):
                task.answer = LabError(
                    "check: a worker process was killed, perhaps for lack of memory; the schedules "
                    "so far are kept, the same command continues"
                )
        self._send()

    def close(self) -> None:
        """Ends the workers. Linux kills their simulators with them."""
        for process in self._processes:
            process.kill()
        for process in self._processes:
            process.join()
        for connection in self._sent:
            connection.close()

    def _send(self) -> None:
        """Gives the workers that have the fewest tasks those that wait."""
        while self._waiting:
            connection, sent = min(self._sent.items(), key=lambda one: len(one[1]))
            if len(sent) == SENT:
                return
            task = self._waiting.popleft()
            sent.append(task)
            try:
                connection.send(task.schedules)
            except OSError:  # the worker is lost, which receive() finds
                return
