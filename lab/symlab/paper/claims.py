# SPDX-License-Identifier: MIT
"""Comparisons that turn measured numbers into a verdict on a claim; all figures share them.

The rules are the same for all claims. A claim is judged only if all its runs were made. One
counterexample makes it fail. A difference counts as an ordering only if it exceeds the spread of
repeated runs.
"""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass

import pandas as pd

from symlab.errors import NotRun
from symlab.paper.figure import State, Verdict


@dataclass(frozen=True)
class Claim:
    """A claim to be judged. `id`: of its entry in symlab/paper/papers/; `check`: what is compared.

    Arguments of the comparisons below: `values` maps each case, such as a number of processors,
    to its value. `note`: text in which {} is replaced by the decisive case.
    """

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
        state: State = "holds" if holds else "fails"
        return Verdict(self.id, state, value, bound, margin, self.check, note)

    def all_of(self, *parts: Verdict) -> Verdict:
        """The verdict of the part that decides: one that fails, else one that was not run, else
        the one with the smallest margin. The note of each part must name the part."""
        order: tuple[State, ...] = ("fails", "not run", "holds")
        return min(
            parts,
            key=lambda p: (
                order.index(p.state),
                p.margin if p.margin is not None else float("-inf"),
            ),
        )

    def at_most(self, values: Mapping[Hashable, float], bound: float, note: str = "") -> Verdict:
        """Holds if every value is at most `bound`."""
        margins = {case: bound - value for case, value in values.items()}
        return self._least(values, margins, bound, note)

    def at_least(self, values: Mapping[Hashable, float], bound: float, note: str = "") -> Verdict:
        """Holds if every value is at least `bound`."""
        margins = {case: value - bound for case, value in values.items()}
        return self._least(values, margins, bound, note)

    def between(
        self, values: Mapping[Hashable, float], least: float, most: float, note: str = ""
    ) -> Verdict:
        """Holds if every value is from `least` to `most`, both included."""
        return self.all_of(self.at_least(values, least, note), self.at_most(values, most, note))

    def ordered(
        self, pairs: Mapping[Hashable, tuple[float, float, float]], note: str = ""
    ) -> Verdict:
        """Holds if less + spread < more for every triple (less, more, spread) in `pairs`.

        The value of the verdict is the decisive ratio less/more, which must be below 1. The
        margin, 1 - (less + spread)/more, includes the spread.
        """
        ratios = {case: less / more for case, (less, more, _) in pairs.items()}
        margins = {case: 1 - (less + spread) / more for case, (less, more, spread) in pairs.items()}
        return self._least(ratios, margins, 1.0, note, strict=True)

    def _least(
        self,
        values: Mapping[Hashable, float],
        margins: Mapping[Hashable, float],
        bound: float,
        note: str,
        strict: bool = False,
    ) -> Verdict:
        """The verdict of the case with the smallest margin. `strict`: a margin of 0 fails."""
        if not margins:
            return self.not_run("all runs")
        case = min(margins, key=lambda key: margins[key])
        holds = margins[case] > 0 if strict else margins[case] >= 0
        return self.judged(holds, values[case], bound, margins[case], note.format(case))


@dataclass(frozen=True)
class Judge:
    """A claim with the function that judges it; calling it with a figure's data gives a verdict."""

    claim: Claim
    function: Callable[[Claim, pd.DataFrame], Verdict]

    @property
    def id(self) -> str:
        return self.claim.id

    def __call__(self, data: pd.DataFrame) -> Verdict:
        try:
            return self.function(self.claim, data)
        except NotRun as missing:
            return self.claim.not_run(str(missing))


def judges(id: str, check: str) -> Callable[[Callable[[Claim, pd.DataFrame], Verdict]], Judge]:
    """Decorator of the function that judges the claim `id`. It may raise NotRun."""
    return lambda function: Judge(Claim(id, check), function)
