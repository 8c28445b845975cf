# SPDX-License-Identifier: MIT
"""One run of the simulator on a worker of a cluster: files in, files out, nothing left behind.

The config comes as text. Simulator and guest are taken from where the sweep has them, if the
worker sees those paths (a shared file system), and else from the copies it was sent.
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

from symlab.simulator import Children, Ended, sha256_of

UNWANTED_POLL_S = 0.5  # host time between two looks whether anybody still waits for the run
EXECUTABLE = 0o755


class Refused(Exception):
    """This worker has another simulator or guest than the sweep; the message says which."""


@dataclass(frozen=True)
class Shipped:
    """A file a run needs. `path`: where the sweep has it, absolute."""

    what: str
    path: str
    sha256: str


@dataclass(frozen=True)
class Job:
    """One run. `config`: complete, as TOML. `guest_name`: as the working folder is searched for
    it; `guest` is None if the sweep has no such file, so that the simulator can say so."""

    name: str
    topic: str
    config: str
    simulator: Shipped
    guest: Shipped | None
    guest_name: str


@dataclass(frozen=True)
class Returned:
    """What a run left: how it ended and the files of its folder by name."""

    ended: Ended
    files: dict[str, bytes]


class Sent(WorkerPlugin):
    """A file for every worker, also those that join later. It is no dependency of the runs: they
    would all be put where the file is."""

    def __init__(self, wanted: Shipped, data: bytes) -> None:
        self._wanted = wanted
        self._data = data

    def setup(self, worker: Worker) -> None:
        if not Path(self._wanted.path).is_file():
            keep_copy(self._wanted, self._data, Path(worker.local_directory))


def keep_copy(wanted: Shipped, data: bytes, room: Path) -> None:
    """Puts a file where `perform` looks for it. Raises OSError."""
    descriptor, name = tempfile.mkstemp(dir=room)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
    Path(name).chmod(EXECUTABLE)
    Path(name).replace(_copy(wanted, room))


def work(job: Job) -> Returned:
    """What the cluster calls. Raises Refused; OSError if this worker's disk cannot take it."""
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
    """The run, with its files in `room`. Raises as `work`."""
    with tempfile.TemporaryDirectory(prefix="symsim-", dir=room) as name:
        scratch = Path(name)
        binary = _located(job.simulator, room)
        # As many folders deep as the guest's name goes up, so that it stays in the scratch folder.
        folder = scratch.joinpath("working", *(["down"] * Path(job.guest_name).parts.count("..")))
        folder.mkdir(parents=True)
        if job.guest is not None:
            _put(_located(job.guest, room), folder, job.guest_name)
        config, out = scratch / "config.toml", scratch / "out"
        out.mkdir()
        config.write_text(job.config, encoding="utf-8")
        command = [str(binary), str(config), "--out", str(out), "--quiet"]
        ended = children.execute(command, folder=folder)
        return Returned(ended, {file.name: file.read_bytes() for file in out.iterdir()})


def _located(wanted: Shipped, room: Path) -> Path:
    """The file on this host: the shared one, which must be the same, or the copy."""
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


def _put(file: Path, folder: Path, name: str) -> None:
    """Makes `file` be found as `name` from `folder`; an absolute name is only found if shared."""
    place = Path(os.path.normpath(folder / name))
    if Path(name).is_absolute():
        if not place.is_file():
            raise Refused(f"it does not see {name}; name the guest relative to the config")
        return
    place.parent.mkdir(parents=True, exist_ok=True)
    place.symlink_to(file)


@contextlib.contextmanager
def _stopped_if_unwanted(children: Children) -> Iterator[None]:
    """Ends the run if the sweep has been stopped or killed: a cluster itself cannot."""
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
