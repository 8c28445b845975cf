# SPDX-License-Identifier: MIT
"""Plans a sweep: finds the run that each point needs, and why it is made, made again or kept."""

import os
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from symlab.errors import RunFailed, UserError
from symlab.files import sha256_of
from symlab.guest import catalogue
from symlab.runs.axes import KIND_OF
from symlab.runs.grid import SEED, Point
from symlab.runs.settings import Scalar
from symlab.runs.simulator import Simulator
from symlab.runs.store import FAILED, Identity, Record, Store, damage

# Called with the number of points that are planned, and the number of all.
Planning = Callable[[int, int], None]

CHANGES_SHOWN = 3  # changed keys that a reason names; further ones are only counted


class Reason(StrEnum):
    KEPT = "kept"
    NEW = "new"
    CHANGED = "changed"
    FAILED = "previous failed"
    INTERRUPTED = "interrupted"
    DAMAGED = "damaged"
    INVALID = "invalid"


@dataclass(frozen=True)
class Task:
    """A point and its run. `identity` is None if the point's config is invalid, or if a signal
    killed the simulator that was asked for it.

    `reason`, `detail`: why the run is made or kept, `detail` in words. `took_s`: host seconds that
    a kept run took, or None. `refused`: the error if `identity` is None.
    """

    point: Point
    identity: Identity | None
    reason: Reason
    detail: str = ""
    took_s: float | None = None
    refused: UserError | RunFailed | None = None

    @property
    def name(self) -> str:
        return self.identity.name if self.identity else ""

    @property
    def why(self) -> str:
        return f"{self.reason}: {self.detail}" if self.detail else str(self.reason)


def plan(
    points: list[Point],
    config: Path,
    simulator: Simulator,
    store: Store,
    jobs: int,
    dry: bool = False,
    planning: Planning = lambda done, points: None,
) -> list[Task]:
    """One task per point, in the order of `points`.

    Removes the partial folders of killed sweeps. Builds guests of this tree that are missing or out
    of date, and raises UserError if that fails. Takes finished runs from sweeps in neighbouring
    folders. With `dry`, the folder is only read. `jobs`: number of simulator processes that
    resolve configs at the same time. `planning` is called after each point.

    A point whose config the simulator rejects becomes an INVALID task. If the simulator rejects
    all points, raises the error of the first.
    """
    interrupted = store.leftovers(remove=not dry)
    records = store.records()

    def resolve(point: Point) -> tuple[Point, Mapping[str, Any] | UserError | RunFailed]:
        try:
            if point.repeat is not None:
                point = point.seeded(simulator.resolve(config, point.settings)[SEED])
            return point, simulator.resolve(config, point.settings)
        except (UserError, RunFailed) as error:
            return point, error

    def task_of(point: Point, resolved: Mapping[str, Any] | UserError | RunFailed) -> Task:
        if isinstance(resolved, UserError | RunFailed):
            return Task(point, None, Reason.INVALID, str(resolved), refused=resolved)
        point = _with_lock_names(point, resolved)
        guest, stdin = simulator.guest(config, resolved), simulator.stdin(resolved)
        if guest is None and (error := _misspelt(resolved)):
            return Task(point, None, Reason.INVALID, str(error), refused=error)
        image, stdin_sha256 = (
            sha256_of(file) if file else None for file in (guest and guest.path, stdin)
        )
        files = {inside: sha256_of(file) for inside, file in simulator.files(resolved).items()}
        identity = Identity.of(resolved, image, simulator.sha256, stdin_sha256, files)
        reason, detail = _why(point.coordinates, identity, store, records, interrupted)
        return Task(point, identity, reason, detail)

    found = []
    with ThreadPoolExecutor(jobs) as pool:
        for one in pool.map(resolve, points):
            found.append(one)
            planning(len(found), len(points))
        simulator.build_guests(of for _, of in found if isinstance(of, Mapping))
        tasks = list(pool.map(task_of, *zip(*found, strict=True)))
    if tasks[0].refused is not None and all(task.refused is not None for task in tasks):
        raise tasks[0].refused
    _refuse_twice(tasks, config)
    return [_kept(task, store, dry) for task in tasks]


def _misspelt(resolved: Mapping[str, Any]) -> UserError | None:
    """The error of a lock, barrier or strategy whose name is similar to one of symsim. For a run
    whose image is not there."""
    for key, kind in KIND_OF.items():
        try:
            if key in resolved:
                catalogue.find(kind, str(resolved[key]))
        except UserError as error:
            if "did you mean" in str(error):
                return UserError(f"{key}: {error}")
    return None


def _with_lock_names(point: Point, resolved: Mapping[str, Any]) -> Point:
    """The point with the names of locks that the simulator has put for aliases: xchgb for tas."""
    named = {
        key: resolved.get(key, value)
        for key, value in point.coordinates.items()
        if key in ("guest.args.lock", "guest.image")
    }
    # A path is of a file of the user, which has its own name.
    kept = {key: value for key, value in named.items() if "/" not in str(value)}
    return replace(point, coordinates=point.coordinates | kept)


def _refuse_twice(tasks: Iterable[Task], config: Path) -> None:
    seen: set[tuple[Scalar, ...]] = set()
    for task in tasks:
        if task.identity is None:  # an invalid point has a row for each repeat
            continue
        values = tuple(task.point.coordinates.values())
        if values in seen:
            raise UserError(
                f"{config}: {task.point.label} is there twice: by a lock's name and by its alias"
            )
        seen.add(values)


def _kept(task: Task, store: Store, dry: bool) -> Task:
    """The task with what its run took if that is kept, or taken from a neighbouring folder."""
    if task.identity is None:
        return task
    if task.reason is Reason.KEPT:
        return replace(task, took_s=store.took_s(store.runs / task.name))
    found = store.neighbour(task.identity)
    if found is None:
        return task
    if not dry and not store.adopt(found, task.point.coordinates, task.identity):
        return task
    detail = f"of {found.parent.parent}"
    return replace(task, reason=Reason.KEPT, detail=detail, took_s=store.took_s(found))


def _why(
    coordinates: Mapping[str, Scalar],
    identity: Identity,
    store: Store,
    records: Mapping[str, Record],
    interrupted: set[str],
) -> tuple[Reason, str]:
    name = identity.name
    there = os.path.lexists(store.runs / name)
    damaged = damage(store.runs / name) if there else None
    record = records.get(name)
    if there and damaged is None and record is not None and record.identity != identity:
        damaged = "point.json is of another run"
    if there and damaged is None:
        return Reason.KEPT, ""
    if name in interrupted:
        return Reason.INTERRUPTED, ""
    if (failure := records.get(name + FAILED)) is not None:
        return Reason.FAILED, failure.status
    if damaged is not None:
        return Reason.DAMAGED, damaged
    # A run with the same coordinates but another name: its config, guest or simulator was
    # different. If there are several, we report the one with the fewest differences.
    before = [r.identity for r in records.values() if r.coordinates == coordinates]
    if not before:
        return Reason.NEW, ""
    changes = min((_changes(old, identity) for old in before), key=len)
    shown = ", ".join(changes[:CHANGES_SHOWN])
    more = len(changes) - CHANGES_SHOWN
    return Reason.CHANGED, f"{shown} and {more} more" if more > 0 else shown


def _changes(old: Identity, new: Identity) -> list[str]:
    """The differences in words: `config run.seed 1 -> 2`, `guest image` and so on."""
    keys = [k for k in {**old.config, **new.config} if old.config.get(k) != new.config.get(k)]
    changes = [f"config {k} {old.config.get(k)} -> {new.config.get(k)}" for k in sorted(keys)]
    files = {
        "guest image": old.image_sha256 != new.image_sha256,
        "contents of guest.stdin": old.stdin_sha256 != new.stdin_sha256,
        "contents of guest.files": old.files_sha256 != new.files_sha256,
        "simulator": old.simulator_sha256 != new.simulator_sha256,
    }
    return changes + [name for name, differs in files.items() if differs]
