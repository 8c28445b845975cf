# SPDX-License-Identifier: MIT
"""Makes one run of the simulator on a worker of a cluster and leaves no files there.

The worker gets the config as text. It uses simulator and guest at the paths that the sweep uses,
if it sees these paths (a shared file system), else the copies that it was sent.
"""

import contextlib
import os
import socket
import tempfile
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from distributed import Worker, WorkerPlugin, get_worker

from symlab.files import sha256_of
from symlab.runs.processes import Children, Ended

UNWANTED_POLL_S = 0.5  # host time between two checks whether the run has been cancelled
EXECUTABLE = 0o755


class Refused(Exception):
    """This worker has a different or no simulator or guest; the message names the file."""


@dataclass(frozen=True)
class Shipped:
    """A file that a run needs. `path`: its absolute path on the sweep's host."""

    what: str
    path: str
    sha256: str


@dataclass(frozen=True)
class Job:
    """One run. `config`: the complete config as TOML. `inputs`: the guest and guest.stdin, those of
    them that the sweep's host has, each with its path as the simulator looks it up. The simulator
    reports a guest that is missing."""

    name: str
    topic: str
    config: str
    simulator: Shipped
    inputs: tuple[tuple[Shipped, str], ...]


@dataclass(frozen=True)
class Returned:
    """The result of a run: how it ended, and file name -> content of its folder."""

    ended: Ended
    files: dict[str, bytes]


class Sent(WorkerPlugin):
    """A file sent to every worker, also to workers that join later. It is a plugin and no
    dependency of the tasks, since dask would then schedule all runs on the worker that has the
    file."""

    def __init__(self, wanted: Shipped, data: bytes) -> None:
        self._wanted = wanted
        self._data = data

    def setup(self, worker: Worker) -> None:
        if not Path(self._wanted.path).is_file():
            keep_copy(self._wanted, self._data, Path(worker.local_directory))


def keep_copy(wanted: Shipped, data: bytes, room: Path) -> None:
    """Writes a copy of the file into `room`, where `perform` looks for it. Raises OSError."""
    descriptor, name = tempfile.mkstemp(dir=room)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
    Path(name).chmod(EXECUTABLE)
    Path(name).replace(_copy(wanted, room))


def work(job: Job) -> Returned:
    """The task that the cluster executes: one run. Raises Refused, or OSError if this worker cannot
    write the files."""
    worker = get_worker()
    host = socket.gethostname()
    worker.log_event(job.topic, {"run": job.name, "where": f"{host} {worker.name}"})
    children = Children()
    with _stopped_if_unwanted(children):
        try:
            return perform(job, Path(worker.local_directory), children)
        except Refused as error:
            raise Refused(f"worker {worker.name} on {host} refuses: {error}") from None


def perform(job: Job, room: Path, children: Children) -> Returned:
    """Makes the run in a temporary folder below `room`. Raises as `work` does."""
    with tempfile.TemporaryDirectory(prefix="symsim-", dir=room) as name:
        scratch = Path(name)
        binary = located(job.simulator, room)
        # One folder deeper for each ".." in a name, which so stays inside `scratch`.
        deep = max((Path(name).parts.count("..") for _, name in job.inputs), default=0)
        folder = scratch.joinpath("working", *(["down"] * deep))
        folder.mkdir(parents=True)
        for wanted, name in job.inputs:
            _put(located(wanted, room), folder, name, wanted.what)
        config, out = scratch / "config.toml", scratch / "out"
        out.mkdir()
        config.write_text(job.config, encoding="utf-8")
        command = [str(binary), str(config), "--out", str(out), "--quiet"]
        ended = children.execute(command, folder=folder)
        made = [file for file in out.rglob("*") if file.is_file()]
        return Returned(ended, {str(file.relative_to(out)): file.read_bytes() for file in made})


def located(wanted: Shipped, room: Path) -> Path:
    """Path on this host: the shared file if it exists, else the copy. Raises Refused if the shared
    file has another SHA-256, or if there is neither."""
    shared = Path(wanted.path)
    if not shared.is_file():
        copy = _copy(wanted, room)
        if not copy.is_file():
            raise Refused(f"{wanted.what} {shared} is not there, nor was it sent; sweep again")
        return copy
    found = sha256_of(shared)
    if found != wanted.sha256:
        raise Refused(
            f"its {wanted.what} {shared} has SHA-256 {found}, and the sweep's has "
            f"{wanted.sha256}; make them the same, or do without this worker"
        )
    return shared


def _copy(wanted: Shipped, room: Path) -> Path:
    return room / f"symsim-{wanted.sha256}"


def _put(file: Path, folder: Path, name: str, what: str) -> None:
    """Links `file` so that `name`, relative to `folder`, leads to it. Raises Refused if `name` is
    absolute and does not exist on this host."""
    place = Path(os.path.normpath(folder / name))
    if Path(name).is_absolute():
        if not place.is_file():
            raise Refused(f"it does not see {name}; name the {what} relative to the config")
        return
    place.parent.mkdir(parents=True, exist_ok=True)
    place.symlink_to(file)


@contextlib.contextmanager
def _stopped_if_unwanted(children: Children) -> Iterator[None]:
    """Ends the run if the sweep was stopped or killed; dask cannot interrupt a running task."""
    worker, over = get_worker(), threading.Event()
    key = worker.get_current_task()

    def watch() -> None:
        while not over.wait(UNWANTED_POLL_S):
            task = worker.state.tasks.get(key)
            if task is None or task.state == "cancelled":
                children.stop_all()
                return

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        over.set()
        watcher.join()
