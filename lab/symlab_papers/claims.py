# SPDX-License-Identifier: MIT
"""Comparisons that turn measured numbers into a verdict on a claim; all figures share them.

The rules are the same for all claims. A claim is judged only if all its runs were made. One
counterexample makes it fail. An ordering holds, or fails, only by more than the spread of repeated
runs on both sides; otherwise the claim is undecided.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd
from symlab.errors import NotRun
from symlab.plot.figure import State, Verdict
from symlab.plot.ranged import Ranged

from symlab_papers.rows import rows

# The state of the claim is the first of these that one of its parts has.
DECISIVE: tuple[State, ...] = ("fails", "not run", "undecided", "holds")
NO_SPREAD = "no spread measured"


@dataclass(frozen=True)
class Claim:
    """A claim to be judged. `id`: of its entry in a paper.toml; `check`: what is compared.
    Arguments of the comparisons below: `values` maps each case, such as a number of processors, to
    its value. `note`: text in which {} is replaced by the decisive case."""

    id: str
    check: str

    def not_run(self, missing: str) -> Verdict:
        """The verdict "not run"; `missing` names the missing runs."""
        return Verdict(self.id, "not run", None, None, None, self.check, f"missing {missing}")

    def judged(
        self,
        holds: bool,
        value: float | None,
        bound: float | None,
        margin: float | None,
        note: str = "",
    ) -> Verdict:
        """The verdict of a comparison without spread. `margin`: positive only if it `holds`."""
        assert holds or margin is None or margin <= 0, f"{self.id} fails with margin {margin}"
        state: State = "holds" if holds else "fails"
        return Verdict(self.id, state, value, bound, margin, self.check, note)

    def undecided(self, note: str) -> Verdict:
        """The verdict "undecided" of a claim of which no case exceeds the spread."""
        return Verdict(self.id, "undecided", None, None, None, self.check, note)

    def all_of(self, *parts: Verdict) -> Verdict:
        """The verdict of the part that decides: one that fails, else one that was not run, else
        one that is undecided, else the one with the smallest margin. The note of each part must
        name the part."""
        return min(
            parts,
            key=lambda p: (
                DECISIVE.index(p.state),
                p.margin if p.margin is not None else float("-inf"),
            ),
        )

    def at_most(self, values: Mapping[Any, float], bound: float, note: str = "") -> Verdict:
        """Holds if every value is at most `bound`."""
        margins = {case: bound - value for case, value in values.items()}
        return self._least(values, margins, bound, note)

    def at_least(self, values: Mapping[Any, float], bound: float, note: str = "") -> Verdict:
        """Holds if every value is at least `bound`."""
        margins = {case: value - bound for case, value in values.items()}
        return self._least(values, margins, bound, note)

    def between(
        self, values: Mapping[Any, float], least: float, most: float, note: str = ""
    ) -> Verdict:
        """Holds if every value is from `least` to `most`, both included."""
        return self.all_of(self.at_least(values, least, note), self.at_most(values, most, note))

    def near(
        self, value: float, paper: float, tolerance: float, unit: str = "us", what: str = ""
    ) -> Verdict:
        """Holds if the value is within `tolerance` of the paper's value; all three in `unit`.
        `what`: of which case the value is, for the note."""
        off = value - paper
        bound = paper + math.copysign(tolerance, off)
        margin = tolerance - abs(off)
        note = f"{what + ', ' if what else ''}the paper's {paper:g} {unit} {off / paper:+.1%}"
        return self.judged(margin >= 0, value, bound, margin, note)

    def ordered(self, pairs: Mapping[Any, tuple[Ranged, Ranged]], note: str = "") -> Verdict:
        """Holds if for every pair (less, more) the lead of `more` exceeds the spreads of both.

        Fails if in one of them `less` leads by as much or more, and is undecided otherwise. A
        spread of NaN was not measured; then less < more decides. `less` and `more` are positive.
        The value of the verdict is the decisive ratio less/more, which must be below 1. The
        margin, the lead less the spreads over more, includes the spread.
        """
        parts = [
            self._apart(more - less, less.value / more.value, 1.0, more.value, note.format(case))
            for case, (less, more) in pairs.items()
        ]
        return self.all_of(*parts) if parts else self.not_run("all runs")

    def positive(self, values: Mapping[Any, Ranged], note: str = "") -> Verdict:
        """Holds if every value exceeds 0 by more than its spread. Fails if one is below 0 by more,
        or is 0, and is undecided otherwise. Serves orderings whose sides are no positive numbers,
        given as differences."""
        parts = [
            self._apart(of, of.value, 0.0, 1.0, note.format(case)) for case, of in values.items()
        ]
        return self.all_of(*parts) if parts else self.not_run("all runs")

    def not_positive(
        self, values: Mapping[Any, Ranged], without_spread: float, note: str = ""
    ) -> Verdict:
        """Holds if no value exceeds 0 by more than its spread, or `without_spread` if that is NaN.
        For claims that something does not rise, or not fall."""
        allowed = {
            case: without_spread if math.isnan(of.spread) else of.spread
            for case, of in values.items()
        }
        margins = {case: allowed[case] - of.value for case, of in values.items()}
        if not margins:
            return self.not_run("all runs")
        case = min(margins, key=lambda key: margins[key])
        of = values[case]
        texts = [note.format(case), NO_SPREAD] if math.isnan(of.spread) else [note.format(case)]
        holds = margins[case] >= 0
        return self.judged(holds, of.value, allowed[case], margins[case], "; ".join(texts))

    def _apart(self, lead: Ranged, value: float, bound: float, unit: float, note: str) -> Verdict:
        """The verdict of an ordering whose larger side leads by `lead`; `unit` of the margin."""
        unknown = math.isnan(lead.spread)
        beyond = 0.0 if unknown else lead.spread
        undecided: State = "undecided" if -beyond < lead.value else "fails"
        state: State = "holds" if lead.value > beyond else undecided
        texts = "; ".join(filter(None, [note, NO_SPREAD if unknown else ""]))
        return Verdict(
            self.id, state, value, bound, (lead.value - beyond) / unit, self.check, texts
        )

    def _least(
        self,
        values: Mapping[Any, float],
        margins: Mapping[Any, float],
        bound: float,
        note: str,
    ) -> Verdict:
        """The verdict of the case with the smallest margin."""
        if not margins:
            return self.not_run("all runs")
        case = min(margins, key=lambda key: margins[key])
        least = margins[case]
        return self.judged(least >= 0, values[case], bound, least, note.format(case))


@dataclass(frozen=True)
class Judge:
    """A claim with the function that judges it; calling it with a figure's data gives a verdict.
    `tests`: the expressions that the function evaluates, if it does, and `values` of each case its
    note and the values that are compared, for whoever wants to look."""

    claim: Claim
    function: Callable[[Claim, pd.DataFrame], Verdict]
    tests: tuple[str, ...] = ()
    values: Callable[[pd.DataFrame], list[tuple[str, list[Any]]]] = lambda data: []

    @property
    def id(self) -> str:
        return self.claim.id

    def __call__(self, data: pd.DataFrame) -> Verdict:
        try:
            return self.function(self.claim, data)
        except NotRun as missing:
            return self.claim.not_run(str(missing))


def judges(id: str) -> Callable[[Callable[[Claim, pd.DataFrame], Verdict]], Judge]:
    """Decorator of the function that judges the claim `id`, which has one check in its paper.toml.
    It may raise NotRun."""
    (only,) = rows(id.partition("-")[0])[id].checks
    return lambda function: Judge(Claim(id, only.check), function)
