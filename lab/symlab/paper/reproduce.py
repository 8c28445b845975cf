# SPDX-License-Identifier: MIT
"""Reproduces a paper: runs the sweeps of its configs one after the other.

If a sweep fails, the next one is still made. Finished runs are kept, as by `sweep`, so an
interrupted reproduction resumes when it is started again. `gather` then makes the results page.

The functions take one `Order` for all sweeps; each puts in its config and overrides.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from symlab.paper import sensitivity
from symlab.paper.gather import has_runs
from symlab.paper.paper import Part
from symlab.plot.generic import generic_figure
from symlab.runs.loading import read_runs
from symlab.runs.screen import Screen
from symlab.runs.sweeping import Order, SweepResult, run_sweep


@dataclass
class Progress:
    """Estimates the remaining host time of a reproduction from simulated instructions.

    `left`: part -> instructions of its sweep, from the table of the last reproduction; None if
    there is no table. `done`, `spent_s`: instructions simulated so far, and the host time for them.
    """

    left: dict[str, float | None]
    done: float = 0.0
    spent_s: float = 0.0

    @classmethod
    def of(cls, parts: list[Part], folder: Path) -> "Progress":
        return cls({part.name: _instructions(part, folder) for part in parts})

    def over(self, part: Part, made: "Made") -> None:
        """The sweep of `part` has ended."""
        self.left.pop(part.name)
        self.done += made.instructions
        self.spent_s += made.spent_s

    def left_s(self) -> float | None:
        """Host seconds for the remaining sweeps at the speed so far, if all their runs are made.

        None if unknown: before the first run, or if a remaining sweep has no table.
        """
        known = [work for work in self.left.values() if work is not None]
        if not self.done or len(known) < len(self.left):
            return None
        return sum(known) * self.spent_s / self.done


@dataclass(frozen=True)
class Made:
    """Result of a sweep, with the number of simulated instructions and the host time spent."""

    result: SweepResult
    instructions: float
    spent_s: float


def make(part: Part, order: Order, quick: bool, screen: Callable[[], Screen]) -> Made:
    """Runs the sweep of `part` at the paper's size or, if `quick`, in its quick form, which is not
    judged.

    `screen`: makes the display of the progress. Raises LabError.
    """
    if quick:
        figure = replace(part.figure, claims=())
        order = replace(order, overrides=part.size("quick"), figure=figure)
    return swept(part, order, screen)


def make_sensitivity(
    headline: sensitivity.Headline,
    guesses: sensitivity.Guesses,
    order: Order,
    folder: Path,
    screen: Callable[[], Screen],
) -> dict[str, Made]:
    """Runs the sweeps of a headline with each guess changed, into sensitivity/ of `folder`.

    Returns the results by name of the sweep. Raises LabError.
    """
    # The part's own figure would mix runs of different machines. Only its `measure` is used, which
    # looks at each run separately.
    plain = replace(generic_figure([]), measure=headline.figure.measure)
    made = {}
    for name, overrides in sensitivity.sweeps(headline, guesses).items():
        out = folder / "sensitivity" / name
        variants = replace(order, overrides=overrides, out=out, figure=plain)
        made[name] = swept(headline.part, variants, screen)
    return made


def swept(part: Part, order: Order, screen: Callable[[], Screen]) -> Made:
    """Runs the sweep of `part`. Raises LabError."""
    begin_s = time.monotonic()
    with screen() as shown:
        result = run_sweep(replace(order, config=part.file.config), shown.watcher)
    made = result.frame[result.frame["run"].isin(shown.ended_runs)]
    instructions = float(made["instructions"].sum()) if "instructions" in made else 0.0
    return Made(result, instructions, time.monotonic() - begin_s)


def _instructions(part: Part, folder: Path) -> float | None:
    runs = read_runs(folder, part.name) if has_runs(folder, part) else None
    if runs is None or "instructions" not in runs:  # the column is missing if every run has failed
        return None
    return float(runs["instructions"].sum())
