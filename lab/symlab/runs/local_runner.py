# SPDX-License-Identifier: MIT
"""Makes runs on the cores of this host, one simulator process per run."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue

from symlab.runs.executing import Events, Outcome, Over, Started, keep, not_kept
from symlab.runs.plan import Task
from symlab.runs.simulator import Children, Simulator
from symlab.runs.store import Store

SIMULATOR_CHANGED = ("simulator-changed", "the simulator was rebuilt during the sweep; sweep again")


class LocalRunner:
    """A `Runner` on this host. `jobs`: number of runs at a time.

    `lock`: file descriptor of the store's lock, which the simulator processes inherit.
    """

    def __init__(
        self, config: Path, simulator: Simulator, store: Store, jobs: int, lock: int
    ) -> None:
        self.events: Events = SimpleQueue()
        self._config = config
        self._simulator = simulator
        self._store = store
        self._lock = lock
        self._children = Children()
        self._pool = ThreadPoolExecutor(jobs)

    def start(self, task: Task) -> None:
        self._pool.submit(self._run, task)

    def stop(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)
        self._children.stop_all()

    def close(self) -> None:
        self._pool.shutdown(wait=True)

    def _run(self, task: Task) -> None:
        self.events.put(Started(task.name))
        try:
            self.events.put(Over(task.name, self._outcome(task)))
        except BaseException as error:  # a bug of the lab; `execute` raises it in its own thread
            self.events.put(error)

    def _outcome(self, task: Task) -> Outcome:
        """Makes and commits one run. A failed run and an OSError become an Outcome."""
        try:
            folder = self._store.begin(task.name)
            ended = self._simulator.run_into(
                self._config, task.point.settings, folder, self._children, (self._lock,)
            )
            if self._children.stopping:  # the next sweep finds the partial folder
                return Outcome("interrupted")
            spoilt = SIMULATOR_CHANGED if self._simulator.replaced else None
            return keep(task, ended, self._store, spoilt)
        except OSError as error:
            return not_kept(error, self._store)
