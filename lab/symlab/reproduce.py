# SPDX-License-Identifier: MIT
"""A paper regenerated: every sweep of its configs, one after the other, then gathered.

A sweep that fails does not keep the next from being made. What is finished is kept, as by
`sweep`, so the same call goes on where it was stopped.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from symlab import sensitivity, spread
from symlab.executing import Outcome
from symlab.figure import Figure
from symlab.figures.generic import generic_figure
from symlab.gather import has_runs
from symlab.loading import read_runs
from symlab.paper import Part
from symlab.plan import Task
from symlab.screen import Screen
from symlab.sweeping import SweepResult, run_sweep


@dataclass(frozen=True)
class How:
    """Where and by whom runs are made, as for `run_sweep`. `results`: folder of folders."""

    results: Path
    jobs: int | None = None
    simulator: Path | None = None
    scheduler: str | None = None
    quick: bool = False


@dataclass
class Progress:
    """Host time of a reproduction by the instructions its runs simulate, which the tables of the
    last one tell. `left` counts those of sweeps still to come, None if one has no table."""

    left: dict[str, float | None]
    done: float = 0.0
    spent_s: float = 0.0

    @classmethod
    def of(cls, parts: list[Part], folder: Path) -> "Progress":
        return cls({part.name: _instructions(part, folder) for part in parts})

    def over(self, part: Part, made: "Made") -> None:
        """A sweep has ended."""
        self.left.pop(part.name)
        self.done += made.instructions
        self.spent_s += made.spent_s

    def left_s(self) -> float | None:
        """Host seconds the rest takes at the pace so far, if none of it is there already; None if
        that is not known."""
        known = [work for work in self.left.values() if work is not None]
        if not self.done or len(known) < len(self.left):
            return None
        return sum(known) * self.spent_s / self.done


@dataclass(frozen=True)
class Made:
    """What came of a sweep; how many instructions were simulated for it, and in what host time."""

    result: SweepResult
    instructions: float
    spent_s: float


def make(part: Part, how: How, screen: Callable[[], Screen]) -> Made:
    """Runs one sweep into its folder, at the paper's size or quickly. Raises LabError."""
    if not how.quick:
        return _swept(part.file.config, how, screen, {})
    unjudged = replace(part.figure, claims=())
    return _swept(part.file.config, how, screen, part.figure.quick, figure=unjudged)


def make_spread(part: Part, how: How, folder: Path, screen: Callable[[], Screen]) -> Made:
    """Runs a part's reduced sweep with repeats, in the paper's `folder`. Raises LabError."""
    out = folder / "spread" / part.name
    return _swept(part.file.config, how, screen, spread.overrides(part), out)


def make_sensitivity(
    part: Part,
    headline: sensitivity.Headline,
    guesses: sensitivity.Guesses,
    how: How,
    folder: Path,
    screen: Callable[[], Screen],
) -> dict[str, Made]:
    """Runs a headline's sweeps on the machine with each guess changed, by name. Raises LabError."""
    made = {}
    for name, overrides in sensitivity.sweeps(headline, guesses).items():
        out = folder / "sensitivity" / name
        # The part's own would mix the machines up, but for what it measures of each run.
        plain = replace(generic_figure(name, []), measure=part.figure.measure)
        made[name] = _swept(part.file.config, how, screen, overrides, out, plain)
    return made


def _swept(
    config: Path,
    how: How,
    screen: Callable[[], Screen],
    overrides: Mapping[str, Any],
    out: Path | None = None,
    figure: Figure | None = None,
) -> Made:
    new: set[str] = set()
    begin_s = time.monotonic()
    with screen() as shown:

        def ended(task: Task, outcome: Outcome) -> None:
            new.add(task.name)
            shown.watcher.ended(task, outcome)

        result = run_sweep(
            config,
            out,
            jobs=how.jobs,
            overrides=overrides,
            simulator=how.simulator,
            watcher=replace(shown.watcher, ended=ended),
            scheduler=how.scheduler,
            results=how.results,
            figure=figure,
        )
    made = result.frame[result.frame["run"].isin(new)]
    instructions = float(made["instructions"].sum()) if "instructions" in made else 0.0
    return Made(result, instructions, time.monotonic() - begin_s)


def _instructions(part: Part, folder: Path) -> float | None:
    if not has_runs(folder, part):
        return None
    return float(read_runs(folder, part.name)["instructions"].sum())
