# SPDX-License-Identifier: MIT
"""One run of the simulator on a worker of a cluster: files in, files out, nothing left behind.

The config comes as text. Simulator and guest are taken from where the sweep has them, if the
worker sees those paths (a shared file system), and else from the bytes that came along.
"""

import contextlib
import os
import socket
import tempfile
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from distributed import get_worker

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


def work(job: Job, simulator: bytes, guest: bytes) -> Returned:
    """What the cluster calls. Raises Refused; OSError if this worker's disk cannot take it."""
    worker = get_worker()
    host = socket.gethostname()
    worker.log_event(job.topic, {"run": job.name, "where": f"{host} {worker.name}"})
    children = Children()
    with _stopped_if_unwanted(children):
        try:
            return perform(job, simulator, guest, Path(worker.local_directory), children)
        except Refused as error:
            raise Refused(f"worker {worker.name} on {host} refuses: {error}") from None


def perform(job: Job, simulator: bytes, guest: bytes, room: Path, children: Children) -> Returned:
    """The run, with its files in `room`. Raises as `work`."""
    with tempfile.TemporaryDirectory(prefix="symsim-", dir=room) as name:
        scratch = Path(name)
        binary = _located(job.simulator, simulator, room)
        # As many folders deep as the guest's name goes up, so that it stays in the scratch folder.
        folder = scratch.joinpath("working", *(["down"] * Path(job.guest_name).parts.count("..")))
        folder.mkdir(parents=True)
        if job.guest is not None:
            _put(_located(job.guest, guest, room), folder, job.guest_name)
        config, out = scratch / "config.toml", scratch / "out"
        out.mkdir()
        config.write_text(job.config, encoding="utf-8")
        command = [str(binary), str(config), "--out", str(out), "--quiet"]
        ended = children.execute(command, folder=folder)
        return Returned(ended, {file.name: file.read_bytes() for file in out.iterdir()})


def _located(wanted: Shipped, data: bytes, room: Path) -> Path:
    """The file on this host: the shared one, which must be the same, or a copy of `data`."""
    shared = Path(wanted.path)
    if shared.is_file():
        found = sha256_of(shared)
        if found != wanted.sha256:
            raise Refused(
                f"its {wanted.what} {shared} has SHA-256 {found}, and the sweep's has "
                f"{wanted.sha256}; make them the same, or take the worker's away"
            )
        return shared
    copy = room / f"symsim-{wanted.sha256}"
    if not copy.is_file():
        descriptor, name = tempfile.mkstemp(dir=room)
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        Path(name).chmod(EXECUTABLE)
        Path(name).replace(copy)
    return copy


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
