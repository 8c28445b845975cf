# SPDX-License-Identifier: MIT
"""What a reproduction makes: a plain list of targets, in the order in which they are made.

    target                  made from the sweep of the figure's config    into
    spread/figure-4.1       in [sweep.reduced], repeated                  spread.csv
    sensitivity/figure-4.1  with changed guesses, and from spread.csv     sensitivity.csv
    figure-4.1              at the paper's size                           its files, versions.csv

The runs of a sweep are up to date if config, guest and simulator are those that made them. So the
same list makes only what is missing. gather.py and quick.py then make what depends on all targets.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd
from symlab.plot.generic import generic_figure
from symlab.results.table import frame
from symlab.runs.processes import TIME_LIMIT
from symlab.runs.published import current_commit
from symlab.runs.simulator import Simulator
from symlab.runs.sweeping import Order, SweepResult

from symlab_papers import sensitivity, spread
from symlab_papers.kept_rows import SENSITIVITY, SPREADS, VERSIONS
from symlab_papers.paper import Paper, Part

COMPLETE, QUICK = "complete", "quick"


@dataclass(frozen=True)
class Target:
    """A sweep, and `make`, which writes what is made of its result into a file of several targets.
    `name`: unique. `title`: for people. `passing`: a status that runs may end with."""

    name: str
    title: str
    part: Part
    order: Order
    make: Callable[[SweepResult], Path | None]
    passing: str = ""

    @property
    def is_figure(self) -> bool:
        return self.name == self.part.name

    def failed(self, result: SweepResult) -> bool:
        statuses = {outcome.status for _, outcome in result.failures} - {self.passing}
        return bool(statuses or (self.is_figure and result.problems))


def targets(paper: Paper, parts: list[Part], order: Order, folder: Path, what: str) -> list[Target]:
    """Those of `what`. `order`: for all sweeps. `folder`: of the results. Raises LabError."""
    found: list[Target] = []
    if what in ("spread", COMPLETE):
        found += [spread_of(part, order, folder) for part in parts if part.size("reduced")]
    if what in ("sensitivity", COMPLETE) and (main := sensitivity.headlines(paper, parts)):
        guesses = sensitivity.load_guesses(paper, Simulator(order.simulator))
        for headline in main:
            found += sensitivity_of(headline, guesses, order, folder)
    if what in ("figures", QUICK, COMPLETE):
        found += [figure_of(part, order, folder, what == QUICK) for part in parts]
    return found


def _of(part: Part, order: Order, overrides: dict[str, Any], out: Path) -> Order:
    return replace(order, config=part.file.config, overrides=overrides, out=out)


def spread_of(part: Part, order: Order, folder: Path) -> Target:
    def make(result: SweepResult) -> Path:
        return SPREADS.replace(folder, spread.measured(part, part.figure.series(result.frame)))

    name = f"spread/{part.name}"
    repeated = _of(part, order, spread.overrides(part), folder / name)
    return Target(name, f"Spread of {part.title}", part, repeated, make)


def sensitivity_of(
    headline: sensitivity.Headline, guesses: sensitivity.Guesses, order: Order, folder: Path
) -> Iterator[Target]:
    """The sweeps of a headline with each guess changed."""
    sweeps, frames = sensitivity.sweeps(headline, guesses), dict[str, pd.DataFrame]()
    # The part's own figure would mix runs of different machines. Only its `measure` is used, which
    # looks at each run separately.
    plain = replace(generic_figure([]), measure=headline.figure.measure)

    def make(name: str, result: SweepResult) -> Path | None:
        frames[name] = result.frame
        if len(frames) < len(sweeps):
            return None
        rows = sensitivity.judged(headline, guesses, frames, SPREADS.load(folder))
        return SENSITIVITY.replace(folder, frame(rows, [], []))

    for name, overrides in sweeps.items():
        own = _of(
            headline.part, replace(order, figure=plain), overrides, folder / "sensitivity" / name
        )
        title = f"Sensitivity of {headline.part.title}{', delays' if name != headline.name else ''}"
        # A machine with another guess may livelock until its time limit. That is what the
        # sensitivity asks; its claims are not judged.
        yield Target(
            f"sensitivity/{name}", title, headline.part, own,
            partial(make, name), TIME_LIMIT,
        )  # fmt: skip


def figure_of(part: Part, order: Order, folder: Path, quick: bool = False) -> Target:
    """The figure at the paper's size or, if `quick`, in its quick form without verdicts."""

    def make(result: SweepResult) -> None:
        if not (quick or result.failures or result.problems):
            version = pd.DataFrame([[part.name, current_commit()]], columns=VERSIONS.columns)
            VERSIONS.replace(folder, version)

    order = replace(order, config=part.file.config)
    if quick:
        figure = replace(part.figure, claims=())
        order = replace(order, overrides=part.size("quick"), figure=figure)
    return Target(part.name, part.title + (", quick" if quick else ""), part, order, make)
