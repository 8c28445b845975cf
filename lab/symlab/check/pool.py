# SPDX-License-Identifier: MIT
"""Worker processes on this host, each with a simulator of its own.

This process has no threads: a fork is safe, and Ctrl-C can end all of it at any time. An executor
of the standard library would wait for a worker that was killed while it sent a result.
"""

import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from typing import Any

from symlab.check import worker
from symlab.check.schedule import Schedule
from symlab.check.worker import Judged, Plan
from symlab.errors import LabError

SENT = 2  # tasks that a worker has at a time, so that it never waits for the next one


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
            process = context.Process(target=worker.serve, args=(plan, theirs), daemon=True)
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
