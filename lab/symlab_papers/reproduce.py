# SPDX-License-Identifier: MIT
"""Reproduces a paper: runs the sweeps of its configs one after the other.

If a sweep fails, the next one is still made. Finished runs are kept, as by `sweep`, so an
interrupted reproduction resumes when it is started again. `gather` then makes the results page.

At the end of a sweep cores wait for its last run. A common queue of all sweeps would avoid that.
By the weights of `cost.Work` the wait costs ALL only 7 s of 2,140 s on two cores.
"""

import functools
import shutil
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from symlab.errors import OutputError
from symlab.results.loading import read_runs
from symlab.runs.screen import Screen
from symlab.runs.sweeping import SweepResult, number_of_points, run_sweep, store_of

from symlab_papers.cost import SHORT_RUN_S, Cost, Work, known_work, work_of
from symlab_papers.gather import has_runs
from symlab_papers.stages import Stage, Step


@dataclass
class Progress:
    """How far a reproduction is, and an estimate of the remaining host time.

    `left`: sweep -> weight of its work, from an earlier reproduction; None if not known. `done`,
    `spent_s`: weight of the work done so far, and the host time for it.
    """

    left: dict[str, float | None]
    done: float = 0.0
    spent_s: float = 0.0

    def over(self, name: str, done: float, spent_s: float) -> None:
        """A sweep has ended. `done`: the weight of the runs made, without those that were kept."""
        self.left.pop(name, None)
        self.done += done
        self.spent_s += spent_s

    def left_s(self, spent_s: float = 0.0) -> float | None:
        """Host seconds for the remaining sweeps at the speed so far, if all their runs are made.

        `spent_s`: host time spent in the first of them so far. None if unknown: before the first
        run, or if the work of a remaining sweep is not known.
        """
        known = [work for work in self.left.values() if work is not None]
        if not self.done or len(known) < len(self.left):
            return None
        pace = self.spent_s / self.done
        first = known[0] * pace if known else 0.0
        return max(first - spent_s, 0.0) + sum(known[1:]) * pace


def known_weights(steps: list[Step], folder: Path) -> dict[str, float | None]:
    """Name of each sweep -> weight of its work in the last reproduction into `folder`.

    From cost.json, else from the table of a figure, or from the number of points if these are
    short. None if there is no table.
    """
    known = known_work(folder)
    return {
        step.name: known[step.name].weight if step.name in known else _estimated(step, folder)
        for step in steps
    }


def _estimated(step: Step, folder: Path) -> float | None:
    if step.name != step.part.name:  # of its spread or sensitivity
        return number_of_points(step.order) * SHORT_RUN_S
    if not has_runs(folder, step.part):
        return None
    runs = read_runs(folder, step.part.name)
    if "instructions" not in runs:  # the column is missing if every run has failed
        return None
    return work_of(runs, set()).weight


@dataclass
class Reproduction:
    """The stages of a reproduction in progress. `weights`: `known_weights`.

    `screen`: makes the display of a sweep, with a line about all sweeps. `announce` is called with
    the title of each sweep and that line.
    """

    stages: list[Stage]
    weights: Mapping[str, float | None]
    screen: Callable[[Callable[[], str]], Screen]
    announce: Callable[[str, str], None]
    line: Callable[[int, int, float, float | None], str]
    cost: Cost = field(default_factory=Cost)
    failed: list[str] = field(default_factory=list)
    files: list[Path] = field(default_factory=list)

    def run(self) -> None:
        """Runs all sweeps. Raises LabError, KeyboardInterrupt."""
        total = sum(len(stage.steps) for stage in self.stages)
        names = [step.name for stage in self.stages for step in stage.steps]
        progress = Progress({name: self.weights.get(name) for name in names})
        begin_s = time.monotonic()
        for stage in self.stages:
            for step in stage.steps:
                over, step_s = total - len(progress.left), time.monotonic()

                def line(over: int = over, step_s: float = step_s) -> str:
                    now_s = time.monotonic()
                    left_s = progress.left_s(now_s - step_s)
                    return self.line(over + 1, total, now_s - begin_s, left_s)

                self.announce(step.title, line())
                result, made = swept(step, functools.partial(self.screen, line))
                work = self.cost.add(step.name, result.frame, made)
                progress.over(step.name, _part(work, made), time.monotonic() - step_s)
                if stage.ended(step, result):
                    self.failed.append(step.name)
            self.files += stage.finish()


def _part(work: Work, made: set[str]) -> float:
    """The weight of the runs that were made of `work`, as if all were alike."""
    return work.weight * len(made) / work.runs if work.runs else 0.0


def swept(step: Step, screen: Callable[[], Screen]) -> tuple[SweepResult, set[str]]:
    """Runs the sweep of a step; returns also the names of the runs made. Raises LabError."""
    with screen() as shown:
        result = run_sweep(step.order, shown.watcher)
    return result, shown.ended_runs


def remove_runs(steps: list[Step]) -> int:
    """Removes the runs that earlier sweeps of these steps have left; returns their number.

    Raises UserError if one is being swept, OutputError if a folder cannot be removed.
    """
    removed = 0
    for step in steps:
        store = store_of(step.order)
        if not store.runs.is_dir():
            continue
        with store.locked():
            removed += sum(path.is_dir() for path in store.runs.iterdir())
            try:
                shutil.rmtree(store.runs)
            except OSError as error:
                raise OutputError(f"{store.runs}: cannot be removed: {error.strerror}") from error
    return removed
