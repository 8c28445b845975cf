# SPDX-License-Identifier: MIT
"""Makes runs on the cores of this host, one simulator process per run.

The files of a run that has ended are checked and synced to the disk while the next run is made.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue

from symlab.runs.executing import Events, Outcome, Over, Started, keep, not_kept
from symlab.runs.plan import Task
from symlab.runs.processes import Children, Ended
from symlab.runs.simulator import Simulator
from symlab.runs.store import Store

SIMULATOR_CHANGED = ("simulator-changed", "the simulator was rebuilt during the sweep; sweep again")


class LocalRunner:
    """A `Runner` on this host. `jobs`: number of runs at a time. `lock`: file descriptor of the
    store's lock, which the simulator processes inherit."""

    def __init__(
        self, config: Path, simulator: Simulator, store: Store, jobs: int, lock: int
    ) -> None:
        self.events: Events = SimpleQueue()
        self._config = config
        self._simulator = simulator
        self._store = store
        self._lock = lock
        self._children = Children()
        self._making = ThreadPoolExecutor(jobs)
        self._keeping = ThreadPoolExecutor(jobs)

    def start(self, task: Task) -> None:
        self._making.submit(self._reported, self._run, task)

    def stop(self) -> None:
        self._making.shutdown(wait=False, cancel_futures=True)
        self._children.stop_all()

    def close(self) -> None:
        self._making.shutdown(wait=True)
        self._keeping.shutdown(wait=True)  # after the threads that give it work

    def _reported(self, step: Callable[..., None], *arguments: object) -> None:
        """Calls `step` in a thread of a pool."""
        try:
            step(*arguments)
        except BaseException as error:  # a bug of the lab; `execute` raises it in its own thread
            self.events.put(error)

    def _run(self, task: Task) -> None:
        self.events.put(Started(task.name))
        made = self._made(task)
        if isinstance(made, Outcome):
            self.events.put(Over(task.name, made))
        else:
            self._keeping.submit(self._reported, self._keep, task, made)

    def _keep(self, task: Task, ended: Ended) -> None:
        self.events.put(Over(task.name, self._kept(task, ended)))

    def _made(self, task: Task) -> Ended | Outcome:
        """Makes one run in its partial folder. An OSError becomes an Outcome."""
        try:
            folder = self._store.begin(task.name)
            ended = self._simulator.run_into(
                self._config, task.point.settings, folder, self._children, (self._lock,)
            )
        except OSError as error:
            return not_kept(error, self._store)
        if self._children.stopping:  # the next sweep finds the partial folder
            return Outcome("interrupted")
        return ended

    def _kept(self, task: Task, ended: Ended) -> Outcome:
        """Commits the run. A failed run and an OSError become an Outcome."""
        spoilt = SIMULATOR_CHANGED if self._simulator.replaced else None
        try:
            return keep(task, ended, self._store, spoilt)
        except OSError as error:
            return not_kept(error, self._store)
