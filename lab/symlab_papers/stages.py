# SPDX-License-Identifier: MIT
"""The sweeps of a reproduction, in three stages: spread, sensitivity, and the figures themselves.

A stage lists its sweeps as steps, is given the result of each, and at its end writes what it made
of them.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

import pandas as pd
from symlab.plot.generic import generic_figure
from symlab.runs.processes import TIME_LIMIT
from symlab.runs.published import current_commit
from symlab.runs.sweeping import Order, SweepResult

from symlab_papers import sensitivity, spread
from symlab_papers.paper import Paper, Part
from symlab_papers.versions import record_version


@dataclass(frozen=True)
class Step:
    """A sweep of a reproduction. `name`: unique, such as `spread/figure-4.1`. `title`: for people.

    `order`: with config, overrides and folder.
    """

    name: str
    title: str
    part: Part
    order: Order


class Stage(Protocol):
    """`steps`: its sweeps. `ended` is called after each, and returns whether something failed; then
    `finish` once, which writes the files of the stage and returns their paths. Both raise LabError.
    """

    steps: list[Step]

    def ended(self, step: Step, result: SweepResult) -> bool: ...
    def finish(self) -> list[Path]: ...


def figure_step(part: Part, order: Order, quick: bool = False) -> Step:
    """The sweep of `part` at the paper's size or, if `quick`, in its quick form without verdicts.

    `order`: for all sweeps.
    """
    order = replace(order, config=part.file.config)
    if not quick:
        return Step(part.name, part.title, part, order)
    figure = replace(part.figure, claims=())
    order = replace(order, overrides=part.size("quick"), figure=figure)
    return Step(part.name, f"{part.title}, quick", part, order)


def sensitivity_steps(
    headline: sensitivity.Headline, guesses: sensitivity.Guesses, order: Order, folder: Path
) -> list[Step]:
    """The sweeps of a headline with each guess changed, into sensitivity/ of `folder`."""
    # The part's own figure would mix runs of different machines. Only its `measure` is used, which
    # looks at each run separately.
    plain = replace(generic_figure([]), measure=headline.figure.measure)
    part, steps = headline.part, []
    for name, overrides in sensitivity.sweeps(headline, guesses).items():
        out, config = folder / "sensitivity" / name, part.file.config
        own = replace(order, config=config, overrides=overrides, out=out, figure=plain)
        delays = ", delays" if name != headline.name else ""
        title = f"Sensitivity of {part.title}{delays}"
        steps.append(Step(f"sensitivity/{name}", title, part, own))
    return steps


@dataclass
class Figures:
    """The sweeps of the parts at the paper's size, or in their quick forms.

    `report`: prints the result of a sweep; returns an exit code.
    """

    parts: list[Part]
    order: Order
    folder: Path
    report: Callable[[SweepResult], int]
    quick: bool = False
    steps: list[Step] = field(init=False)

    def __post_init__(self) -> None:
        self.steps = [figure_step(part, self.order, self.quick) for part in self.parts]

    def ended(self, step: Step, result: SweepResult) -> bool:
        failed = self.report(result) != 0
        if not failed and not self.quick:
            record_version(self.folder, step.part.name, current_commit())
        return failed

    def finish(self) -> list[Path]:
        return []


@dataclass
class Spread:
    """The repeats that measure the run-to-run spread of the parts, and spread.csv."""

    parts: list[Part]
    order: Order
    folder: Path
    report: Callable[[SweepResult], int]
    steps: list[Step] = field(init=False)
    _tables: list[pd.DataFrame] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.steps = [self._step(part) for part in self.parts if part.size("reduced")]

    def _step(self, part: Part) -> Step:
        out, config = self.folder / "spread" / part.name, part.file.config
        order = replace(self.order, config=config, overrides=spread.overrides(part), out=out)
        return Step(f"spread/{part.name}", f"Spread of {part.title}", part, order)

    def ended(self, step: Step, result: SweepResult) -> bool:
        if result.failures:
            self.report(result)
        self._tables.append(spread.measured(step.part, step.part.figure.series(result.frame)))
        return bool(result.failures)

    def finish(self) -> list[Path]:
        return [spread.write_spreads(self.folder, self._tables)] if self._tables else []


@dataclass
class Sensitivity:
    """The main conclusions with each guess changed, and sensitivity.csv.

    `load_guesses` is called only if a part has main conclusions.
    """

    paper: Paper
    parts: list[Part]
    order: Order
    folder: Path
    report: Callable[[SweepResult], int]
    load_guesses: Callable[[], sensitivity.Guesses]
    steps: list[Step] = field(init=False)
    _frames: dict[str, pd.DataFrame] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._headlines = sensitivity.headlines(self.paper, self.parts)
        self._guesses = self.load_guesses() if self._headlines else None
        self.steps = []
        if self._guesses is not None:
            for headline in self._headlines:
                self.steps += sensitivity_steps(headline, self._guesses, self.order, self.folder)

    def ended(self, step: Step, result: SweepResult) -> bool:
        if result.failures:
            self.report(result)
        self._frames[step.name.removeprefix("sensitivity/")] = result.frame
        # A machine with another guess may livelock until its time limit. That is what the
        # sensitivity asks, so it is not a failure; its claims are not judged.
        return any(outcome.status != TIME_LIMIT for _, outcome in result.failures)

    def finish(self) -> list[Path]:
        if self._guesses is None:
            return []
        rows: list[dict[str, Any]] = []
        spreads = spread.load_spreads(self.folder)
        for headline in self._headlines:
            rows += sensitivity.judged(headline, self._guesses, self._frames, spreads)
        return [sensitivity.write_sensitivity(self.folder, rows)]
