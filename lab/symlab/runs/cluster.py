# SPDX-License-Identifier: MIT
"""Makes runs on the workers of a dask.distributed cluster and stores their results on this host.

If a worker is lost, the scheduler repeats its run on another worker. All files of a run come back
to this process, which stores them like those of a local run.
"""

import contextlib
import hashlib
import uuid
from pathlib import Path
from queue import SimpleQueue

from distributed import Client, Future, KilledWorker

from symlab.errors import ClusterError, RunFailed
from symlab.runs.cluster_worker import Job, Refused, Returned, Sent, Shipped, work
from symlab.runs.executing import Events, Outcome, Over, Started, keep, not_kept
from symlab.runs.plan import Task
from symlab.runs.scheduler_address import CONNECT_S, nobody_answers
from symlab.runs.simulator import Simulator
from symlab.runs.store import Store

GO_ON = "finished runs are kept; the same command continues with the others"


class Cluster:
    """A client of the `scheduler` (its address, tcp://host:port) that sends files to all workers.
    `name`: one that no other client has. Raises UserError if no scheduler answers."""

    def __init__(self, scheduler: str) -> None:
        self.name = f"symsim-{uuid.uuid4().hex}"
        self._shipped: dict[Path, Shipped] = {}
        try:
            self.client = Client(scheduler, timeout=CONNECT_S, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as error:
            raise nobody_answers(scheduler, error) from error

    def ship(self, what: str, path: Path) -> Shipped:
        if path not in self._shipped:
            data = path.read_bytes()
            wanted = Shipped(what, str(path.absolute()), hashlib.sha256(data).hexdigest())
            self.client.register_plugin(Sent(wanted, data), name=self._plugin(wanted))
            self._shipped[path] = wanted
        return self._shipped[path]

    def close(self) -> None:
        with contextlib.suppress(Exception):  # the scheduler itself may be lost
            if self.client.status == "running":
                for wanted in self._shipped.values():
                    self.client.unregister_worker_plugin(self._plugin(wanted))
            self.client.close()

    def _plugin(self, wanted: Shipped) -> str:
        return f"{self.name}-{wanted.sha256}"


class ClusterRunner:
    """A `Runner` on a cluster. Raises as Cluster does."""

    def __init__(self, scheduler: str, config: Path, simulator: Simulator, store: Store) -> None:
        self.events: Events = SimpleQueue()
        self._scheduler = scheduler
        self._config = config
        self._simulator = simulator
        self._store = store
        self._futures: dict[str, Future] = {}
        self._stopping = False
        self._cluster = Cluster(scheduler)
        self._cluster.client.subscribe_topic(
            self._cluster.name,
            lambda event: self.events.put(Started(event[1]["run"], event[1]["where"])),
        )

    def start(self, task: Task) -> None:
        assert task.identity is not None
        try:
            text = self._simulator.print_config(self._config, task.point.settings)
        except RunFailed as error:
            self.events.put(Over(task.name, Outcome(error.status, str(error))))
            return
        guest = self._simulator.guest(self._config, task.identity.config)
        ship, topic = self._cluster.ship, self._cluster.name
        simulator = ship("simulator", self._simulator.path)
        if simulator.sha256 != self._simulator.sha256:
            raise ClusterError(f"{simulator.path} was rebuilt during the sweep; sweep again")
        inputs = [(ship("guest", guest.path), guest.name)] if guest else []
        if stdin := self._simulator.stdin(task.identity.config):
            inputs.append((ship("standard input", stdin), str(stdin)))
        files = self._simulator.files(task.identity.config).values()
        inputs += [(ship("guest.files", file), str(file)) for file in files]
        job = Job(task.name, topic, text, simulator, tuple(inputs))
        future = self._cluster.client.submit(
            work, job, key=(topic, task.name), priority=task.point.weight, pure=False
        )
        self._futures[task.name] = future
        future.add_done_callback(lambda done: self._done(task, done))

    def stop(self) -> None:
        self._stopping = True
        with contextlib.suppress(Exception):  # the scheduler itself may be lost
            self._cluster.client.cancel(list(self._futures.values()), force=True)

    def close(self) -> None:
        self._stopping = True
        self._cluster.close()

    def _done(self, task: Task, future: Future) -> None:
        """Called in a thread of the client. Exceptions go to `events`, and so to `execute`."""
        if self._stopping:
            return
        try:
            self.events.put(Over(task.name, self._outcome(task, future)))
        except BaseException as error:
            self.events.put(error)

    def _outcome(self, task: Task, future: Future) -> Outcome:
        if future.cancelled():
            raise ClusterError(
                f"--scheduler {self._scheduler}: the connection to the scheduler is lost; {GO_ON}, "
                "once a scheduler is there"
            )
        try:
            returned: Returned = future.result()
        except Refused as error:
            raise ClusterError(f"{error}; {GO_ON}") from None
        except KilledWorker as error:
            return Outcome("worker-lost", f"the workers that made it were lost: {error}")
        except OSError as error:  # the worker's disk
            return Outcome("output-error", f"on a worker: {error}")
        finally:
            self._futures.pop(task.name).release()
        try:
            folder = self._store.begin(task.name)
            for name, data in returned.files.items():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (folder / name).write_bytes(data)
            return keep(task, returned.ended, self._store)
        except OSError as error:
            return not_kept(error, self._store)
