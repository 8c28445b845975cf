# SPDX-License-Identifier: MIT
"""Runs a search on many workers, with the same result as on one.

Schedules are handed out and their results are taken in one order. A result adds schedules only at
the end, so the order does not depend on how many run at a time, and the first violation in this
order is the answer.
"""

import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from symlab.check.frontier import Source
from symlab.check.journal import Journal
from symlab.check.schedule import Schedule
from symlab.check.tally import Tally
from symlab.check.worker import Judged

GROUP = 8  # the most schedules per task: some milliseconds of work
TASK_S = 0.1  # host time of a task, if its runs are long
AHEAD = 4  # tasks per worker that wait for it
WAIT_S = 0.5  # host time between two calls of `progress`, at most


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
