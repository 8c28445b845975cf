# SPDX-License-Identifier: MIT
"""Carries out a plan: starts the runs that are missing, keeps what they leave, tells a watcher.

Where runs are made is a runner's affair (this host, a cluster); it reports by a queue of events.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Protocol

from symlab.plan import Reason, Task
from symlab.simulator import Ended, config_of, read_json
from symlab.store import Identity, Record, Store

POLL_S = 0.2  # host time between two looks at events; keeps Ctrl-C responsive


@dataclass(frozen=True)
class Outcome:
    """How a task ended. `folder` is None if nothing could be kept on disk."""

    status: str
    message: str = ""
    folder: Path | None = None


@dataclass(frozen=True)
class Started:
    """The run of this name has begun; `where`: on which host, or "" for this one."""

    name: str
    where: str = ""


@dataclass(frozen=True)
class Over:
    """The run of this name has ended."""

    name: str
    outcome: Outcome


# What a runner tells. An exception makes the sweep impossible and is raised in its thread.
Events = SimpleQueue[Started | Over | BaseException]


class Runner(Protocol):
    """Where runs are made.

    `start` returns at once, is called for long points first, and for each puts at least Over, or
    an exception, into `events`. `stop`: on an error, leaves no run behind; none may be started
    afterwards. `close` is always called last.
    """

    events: Events

    def start(self, task: Task) -> None: ...
    def stop(self) -> None: ...
    def close(self) -> None: ...


@dataclass(frozen=True)
class Watcher:
    """Told what happens, in the calling thread; the defaults keep silent.

    `started` may come again for a run whose host was lost.
    """

    planned: Callable[[list[Task]], None] = lambda tasks: None
    started: Callable[[Task, str], None] = lambda task, where: None
    ended: Callable[[Task, Outcome], None] = lambda task, outcome: None


def execute(tasks: list[Task], store: Store, runner: Runner, watcher: Watcher) -> list[Outcome]:
    """Outcomes in the order of `tasks`. Long points start first, so that none is left alone at
    the end; points that resolve to the same run share it."""
    done: dict[str, Outcome] = {}
    for task in tasks:
        if task.reason is Reason.KEPT:
            done[task.name] = Outcome("finished", folder=store.runs / task.name)
    waiting = {t.name: t for t in tasks if t.identity and t.name not in done}
    try:
        for task in sorted(waiting.values(), key=lambda t: -t.point.weight):
            runner.start(task)
        while any(name not in done for name in waiting):
            try:
                event = runner.events.get(timeout=POLL_S)
            except Empty:
                continue
            if isinstance(event, BaseException):
                raise event
            if isinstance(event, Started):
                if event.name not in done:  # a cluster's news may come late
                    watcher.started(waiting[event.name], event.where)
            else:
                done[event.name] = event.outcome
                watcher.ended(waiting[event.name], event.outcome)
    except BaseException:  # Ctrl-C, or a watcher's error
        runner.stop()
        raise
    finally:
        runner.close()
    refused = {id(t): Outcome("user-error", t.detail) for t in tasks if t.identity is None}
    return [refused.get(id(t)) or done[t.name] for t in tasks]


def keep(task: Task, ended: Ended, store: Store, spoilt: tuple[str, str] | None = None) -> Outcome:
    """Commits the run whose files lie in its partial folder. Raises OSError.

    `spoilt`: status and message of what else makes a finished run worthless.
    """
    assert task.identity is not None
    status, message = ended.status, ended.message
    if status == "finished":
        folder = store.partial(task.name)
        status, message = _flaw(folder, task.identity) or spoilt or ("finished", "")
    record = Record(task.point.coordinates, task.identity, status, ended.exit_code, message)
    return Outcome(status, message, store.commit(task.name, record))


def not_kept(error: OSError, store: Store) -> Outcome:
    """The outcome of a run whose files could not be written here."""
    return Outcome("output-error", f"{error.strerror}: {error.filename or store.runs}")


def _flaw(folder: Path, identity: Identity) -> tuple[str, str] | None:
    """Why a run that says it finished is not what was asked for, or not the one it is named."""
    summary = read_json(folder / "summary.json")
    if summary is None:
        return "output-error", "exit code 0, but summary.json is missing or cut off"
    loaded = (summary.get("guest") or {}).get("sha256")
    if loaded and identity.image_sha256 and loaded != identity.image_sha256:
        return "image-changed", "the guest image was rebuilt during the sweep; sweep again"
    config = Identity.of(config_of(folder), None, "").config
    if not config or any(identity.config.get(key) != value for key, value in config.items()):
        return "config-changed", "the config was edited during the sweep; sweep again"
    return None
