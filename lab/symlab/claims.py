# SPDX-License-Identifier: MIT
"""From measured numbers to a verdict on a claim: the comparisons all figures share.

The rules are the same everywhere. A claim about a range holds only if all of the range was run,
and fails on one counterexample. An ordering must exceed the spread of repeated runs. What was
not run is never said to hold.
"""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass

from symlab.figure import State, Verdict


@dataclass(frozen=True)
class Claim:
    """A claim before its judgement. `source`: paper and place; `statement`: what is checked.

    In a comparison's `note`, {} stands for the case that was decisive; `missing` names what was
    not run, empty if nothing.
    """

    id: str
    source: str
    statement: str

    def not_run(self, missing: str) -> Verdict:
        note = f"missing {missing}"
        return Verdict(self.id, "not run", None, None, None, self.source, self.statement, note)

    def judged(
        self,
        holds: bool,
        value: float | None,
        bound: float | None,
        margin: float | None,
        note: str = "",
    ) -> Verdict:
        state: State = "holds" if holds else "fails"
        return Verdict(self.id, state, value, bound, margin, self.source, self.statement, note)

    def all_of(self, *parts: Verdict) -> Verdict:
        """Holds if every part does; what fails, then what was not run, then the least margin,
        decides and is shown. Notes of the parts must tell which part they are."""
        order: tuple[State, ...] = ("fails", "not run", "holds")
        return min(
            parts,
            key=lambda p: (
                order.index(p.state),
                p.margin if p.margin is not None else float("-inf"),
            ),
        )

    def at_most(
        self, values: Mapping[Hashable, float], bound: float, missing: str = "", note: str = ""
    ) -> Verdict:
        """Whether every one of `values`, by case, is `bound` or less."""
        margins = {case: bound - value for case, value in values.items()}
        return self._least(values, margins, bound, missing, note)

    def at_least(
        self, values: Mapping[Hashable, float], bound: float, missing: str = "", note: str = ""
    ) -> Verdict:
        """Whether every one of `values`, by case, is `bound` or more."""
        margins = {case: value - bound for case, value in values.items()}
        return self._least(values, margins, bound, missing, note)

    def between(
        self,
        values: Mapping[Hashable, float],
        least: float,
        most: float,
        missing: str = "",
        note: str = "",
    ) -> Verdict:
        """Whether every one of `values`, by case, is from `least` to `most`."""
        return self.all_of(
            self.at_least(values, least, missing, note), self.at_most(values, most, missing, note)
        )

    def ordered(
        self,
        pairs: Mapping[Hashable, tuple[float, float, float]],
        missing: str = "",
        note: str = "",
    ) -> Verdict:
        """Whether of every (less, more, spread), less + spread < more.

        The value is the largest less/more, to be under 1; the margin counts the spread.
        """
        ratios = {case: less / more for case, (less, more, _) in pairs.items()}
        margins = {case: 1 - (less + spread) / more for case, (less, more, spread) in pairs.items()}
        return self._least(ratios, margins, 1.0, missing, note, strict=True)

    def _least(
        self,
        values: Mapping[Hashable, float],
        margins: Mapping[Hashable, float],
        bound: float,
        missing: str,
        note: str,
        strict: bool = False,
    ) -> Verdict:
        """The verdict of the case with the least margin, which decides for all."""
        if not margins:
            return self.not_run(missing or "all runs")
        case = min(margins, key=lambda key: margins[key])
        holds = margins[case] > 0 if strict else margins[case] >= 0
        if holds and missing:
            return self.not_run(missing)
        return self.judged(holds, values[case], bound, margins[case], note.format(case))
