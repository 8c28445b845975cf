# SPDX-License-Identifier: MIT
"""Runs schedules on the workers of a dask.distributed cluster.

Each thread of a worker keeps one simulator for a check, which it starts at its first schedules. If
a worker is lost, the scheduler gives its schedules to another one.
"""

import contextlib
import hashlib
import tempfile
import threading
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from distributed import Client, Future, KilledWorker, get_worker

from symlab.check.batch import Batch
from symlab.check.prepare import Prepared
from symlab.check.schedule import Schedule
from symlab.check.worker import Judged, Plan, Worker
from symlab.errors import ClusterError
from symlab.runs.cluster_worker import Refused, Sent, Shipped, located
from symlab.runs.scheduler_address import CONNECT_S, nobody_answers

_mine = threading.local()  # .key, .worker: the check that this thread works for
_started: list[tuple[str, Batch, Path]] = []  # key, simulator and config of each thread's check


class Remote(NamedTuple):
    """What a worker needs. `key`: of the check. `config`: complete, as TOML. `plan`: its commands
    are the values of run.limit_ms only, of which each worker makes its own."""

    key: str
    config: str
    simulator: Shipped
    image: Shipped
    plan: Plan


def judge(remote: Remote, schedules: Sequence[Schedule]) -> list[Judged]:
    """The task that the cluster executes. Raises Refused, or as Batch.run_all does."""
    room = Path(get_worker().local_directory)
    return judge_in(remote, schedules, room)


def judge_in(remote: Remote, schedules: Sequence[Schedule], room: Path) -> list[Judged]:
    """As `judge`. `room`: a folder for the config."""
    if getattr(_mine, "key", None) != remote.key:
        image = located(remote.image, room)
        simulator = located(remote.simulator, room)
        with tempfile.NamedTemporaryFile("w", suffix=".toml", dir=room, delete=False) as file:
            file.write(remote.config)
        start = (str(simulator), file.name, "--set", f"guest.image={image}")

        def command(limit: tuple[str, ...]) -> tuple[str, ...]:
            return (*start, "--set", *limit, "--schedules")

        plan = remote.plan._replace(
            command=command(remote.plan.command), patient=command(remote.plan.patient)
        )
        batch = Batch(plan.command)
        _started.append((remote.key, batch, Path(file.name)))
        _mine.worker = Worker(plan, batch, repeats=True)
        _mine.key = remote.key
    return _mine.worker.judge(schedules)


def forget(key: str) -> None:
    """Ends the simulators of a check on this worker."""
    for one in [one for one in _started if one[0] == key]:
        _started.remove(one)
        one[1].close()
        one[2].unlink(missing_ok=True)


@dataclass(frozen=True)
class Result:
    """A future of judged schedules. `result` raises TimeoutError after `seconds`, ClusterError, or
    as Batch.run_all does."""

    future: Future
    scheduler: str

    def result(self, seconds: float | None = None) -> list[Judged]:
        if self.future.cancelled():
            raise ClusterError(
                f"--scheduler {self.scheduler}: the connection to the scheduler is lost; the "
                "schedules so far are kept, the same command continues"
            )
        try:
            judged = self.future.result(timeout=seconds)
        except (Refused, KilledWorker) as error:
            raise ClusterError(f"check: a worker of the cluster: {error}") from error
        self.future.release()
        return judged


class ClusterPool:
    """A pool on a cluster. `limits_ms`: run.limit_ms of a run, and of one that gets more time.
    Raises UserError if no scheduler answers."""

    def __init__(
        self, scheduler: str, prepared: Prepared, plan: Plan, limits_ms: tuple[float, float]
    ) -> None:
        self._scheduler = scheduler
        try:
            self._client = Client(scheduler, timeout=CONNECT_S, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as error:
            raise nobody_answers(scheduler, error) from error
        self._key = uuid.uuid4().hex
        self._number = 0
        first, later = ((f"run.limit_ms={limit}",) for limit in limits_ms)
        simulator = prepared.simulator
        self._plugins: list[str] = []
        self._remote = Remote(
            self._key,
            simulator.print_config(prepared.config, {}),
            self._ship("simulator", simulator.path),
            self._ship("guest", prepared.image.path),
            plan._replace(command=first, patient=later),
        )
        self.workers = max(sum(self._client.nthreads().values()), 1)

    def submit(self, schedules: Sequence[Schedule]) -> Result:
        self._number += 1
        future = self._client.submit(
            judge, self._remote, schedules, key=(self._key, self._number), pure=False,
            priority=-self._number,
        )  # fmt: skip
        return Result(future, self._scheduler)

    def close(self) -> None:
        with contextlib.suppress(Exception):  # the scheduler may be lost
            self._client.run(forget, self._key)
            for name in self._plugins:
                self._client.unregister_worker_plugin(name)
            self._client.close()

    def _ship(self, what: str, path: Path) -> Shipped:
        data = path.read_bytes()
        wanted = Shipped(what, str(path.absolute()), hashlib.sha256(data).hexdigest())
        name = f"symsim-check-{self._key}-{wanted.sha256}"
        self._client.register_plugin(Sent(wanted, data), name=name)
        self._plugins.append(name)
        return wanted
