# SPDX-License-Identifier: MIT
"""Executes a plan: starts the missing runs, stores their results, reports progress to a watcher.

A runner decides where runs are made: `LocalRunner` on this host, `ClusterRunner` on a cluster.
It reports through a queue of events.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Protocol

from symlab.errors import RunFailed, UserError
from symlab.files import read_json
from symlab.results.manifest import flaw
from symlab.runs.plan import Planning, Reason, Task
from symlab.runs.processes import Ended
from symlab.runs.simulator import config_of
from symlab.runs.store import Identity, Record, Store

POLL_S = 0.2  # host time; the longest wait for an event, so that Ctrl-C is handled soon


@dataclass(frozen=True)
class Outcome:
    """How a task ended. `status`: "finished", or the kind of failure. `folder`: the stored run,
    None if nothing could be stored."""

    status: str
    message: str = ""
    folder: Path | None = None


@dataclass(frozen=True)
class Started:
    """Event: the run `name` has begun. `where`: host and worker, or "" for this host."""

    name: str
    where: str = ""


@dataclass(frozen=True)
class Over:
    """Event: the run `name` has ended."""

    name: str
    outcome: Outcome


# The events of a runner. An exception aborts the sweep: `execute` raises it in the calling thread.
Events = SimpleQueue[Started | Over | BaseException]


class Runner(Protocol):
    """The interface of a runner, which makes runs on this host or elsewhere.

    `start` is called once per task, tasks of large weight first, and returns at once. The runner
    later puts an Over or an exception into `events`, before Over possibly a Started. `stop` is
    called after an error: it ends all runs, and no run may start afterwards. `close` is always
    called last.
    """

    events: Events

    def start(self, task: Task) -> None: ...
    def stop(self) -> None: ...
    def close(self) -> None: ...


@dataclass(frozen=True)
class Watcher:
    """Callbacks for progress, called in the thread of `execute`; the defaults do nothing. `started`
    may be called twice for a run if its first host was lost."""

    planning: Planning = lambda done, points: None
    planned: Callable[[list[Task]], None] = lambda tasks: None
    started: Callable[[Task, str], None] = lambda task, where: None
    ended: Callable[[Task, Outcome], None] = lambda task, outcome: None


def execute(tasks: list[Task], store: Store, runner: Runner, watcher: Watcher) -> list[Outcome]:
    """Makes the missing runs and returns the outcomes in the order of `tasks`. Tasks of large
    weight start first, so that no long run is left over at the end. Tasks with the same run share
    it."""
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
                if event.name not in done:  # a cluster may deliver Started after Over
                    watcher.started(waiting[event.name], event.where)
            else:
                done[event.name] = event.outcome
                watcher.ended(waiting[event.name], event.outcome)
    except BaseException:  # Ctrl-C, or a watcher's error
        runner.stop()
        raise
    finally:
        runner.close()
    return [_refusal(t.refused) if t.refused is not None else done[t.name] for t in tasks]


def _refusal(error: UserError | RunFailed) -> Outcome:
    """The outcome of a point whose complete config is not known."""
    return Outcome(error.status if isinstance(error, RunFailed) else "user-error", str(error))


def keep(task: Task, ended: Ended, store: Store, spoilt: tuple[str, str] | None = None) -> Outcome:
    """Checks the run in its partial folder and commits it. Raises OSError. `spoilt`: status and
    message if the runner knows a reason to reject a finished run."""
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
    """Status and message if a run with exit code 0 is incomplete or not the run requested. The
    guest image, its input or the config may have changed after the plan was made."""
    summary = read_json(folder / "summary.json")
    if summary is None:
        return "output-error", "exit code 0, but summary.json is missing or cut off"
    if (wrong := flaw(folder)) is not None:
        return "output-error", f"exit code 0, but {wrong}"
    guest = summary.get("guest") or {}
    loaded = guest.get("sha256")
    if loaded and identity.image_sha256 and loaded != identity.image_sha256:
        return "image-changed", "the guest image was rebuilt during the sweep; sweep again"
    if guest.get("stdin_sha256") != identity.stdin_sha256:
        return "input-changed", "the file guest.stdin was edited during the sweep; sweep again"
    config = Identity.of(config_of(folder), None, "").config
    if not config or any(identity.config.get(key) != value for key, value in config.items()):
        return "config-changed", "the config was edited during the sweep; sweep again"
    return None
