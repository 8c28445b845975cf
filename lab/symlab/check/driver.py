# SPDX-License-Identifier: MIT
"""Runs a search on many workers, with the same result as on one.

Schedules are handed out and their results are taken in one order. A result adds schedules only at
the end, so the order does not depend on how many run at a time, and the first violation in this
order is the answer.
"""

import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any, Protocol

from symlab.check import worker
from symlab.check.frontier import Source
from symlab.check.journal import Journal
from symlab.check.schedule import Schedule
from symlab.check.tally import Tally
from symlab.check.worker import Judged, Plan

GROUP = 8  # schedules per task: some milliseconds of work
AHEAD = 4  # tasks per worker that wait for it


class Pool(Protocol):
    """Where schedules are run. `workers`: how many run at a time."""

    workers: int

    def submit(self, schedules: Sequence[Schedule]) -> Any: ...  # a future of list[Judged]
    def close(self) -> None: ...


class LocalPool:
    """Worker processes on this host, each with a simulator of its own."""

    def __init__(self, plan: Plan, jobs: int) -> None:
        self.workers = jobs
        # fork: the lab's main module cannot be imported twice, and there are no threads yet.
        self._pool = ProcessPoolExecutor(jobs, get_context("fork"), worker.begin, (plan,))

    def submit(self, schedules: Sequence[Schedule]) -> "Future[list[Judged]]":
        return self._pool.submit(worker.judge, schedules)

    def close(self) -> None:
        self._pool.shutdown(cancel_futures=True)


def search(
    source: Source,
    pool: Pool,
    journal: Journal | None,
    until_s: float | None,
    progress: Callable[[Tally, Source], None],
) -> tuple[Tally, bool]:
    """Runs the schedules of `source` until there are no more, one breaks a rule, or the host's
    monotonic clock is at `until_s`. Returns the tally and whether there are no more.

    The runs in the journal are not made again. Raises as Batch.run_all does.
    """
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
        while len(running) < AHEAD * pool.workers and (group := source.take(GROUP)):
            running.append(pool.submit(group))
        if not running:
            if source.advance():
                continue
            return tally, True
        for judged in running.popleft().result():
            tally.add(judged)
            new = source.add(judged.follows)
            if journal:
                journal.add(judged, new)
            if judged.violation:
                break
        progress(tally, source)
        if until_s is not None and time.monotonic() >= until_s:
            break
    return tally, False
