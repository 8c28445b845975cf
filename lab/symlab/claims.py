# SPDX-License-Identifier: MIT
"""Comparisons that turn measured numbers into a verdict on a claim; all figures share them.

The rules are the same for all claims. A claim about a range holds only if the whole range was
run, and one counterexample makes it fail. A difference counts as an ordering only if it exceeds
the spread of repeated runs. A claim whose runs are missing never holds.
"""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass

from symlab.figure import State, Verdict


@dataclass(frozen=True)
class Claim:
    """A claim to be judged. `source`: paper and section or figure; `statement`: the check.

    Arguments of the comparisons below: `values` maps each case, such as a number of processors,
    to its value. `note`: text in which {} is replaced by the decisive case. `missing`: names the
    runs that were not made; empty if all were made.
    """

    id: str
    source: str
    statement: str

    def not_run(self, missing: str) -> Verdict:
        """The verdict "not run"; `missing` names the missing runs."""
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

    def at_most(
        self, values: Mapping[Hashable, float], bound: float, missing: str = "", note: str = ""
    ) -> Verdict:
        """Holds if every value is at most `bound`."""
        margins = {case: bound - value for case, value in values.items()}
        return self._least(values, margins, bound, missing, note)

    def at_least(
        self, values: Mapping[Hashable, float], bound: float, missing: str = "", note: str = ""
    ) -> Verdict:
        """Holds if every value is at least `bound`."""
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
        """Holds if every value is from `least` to `most`, both included."""
        return self.all_of(
            self.at_least(values, least, missing, note), self.at_most(values, most, missing, note)
        )

    def ordered(
        self,
        pairs: Mapping[Hashable, tuple[float, float, float]],
        missing: str = "",
        note: str = "",
    ) -> Verdict:
        """Holds if less + spread < more for every triple (less, more, spread) in `pairs`.

        The value of the verdict is the decisive ratio less/more, which must be below 1. The
        margin, 1 - (less + spread)/more, includes the spread.
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
        """The verdict of the case with the smallest margin. `strict`: a margin of 0 fails."""
        if not margins:
            return self.not_run(missing or "all runs")
        case = min(margins, key=lambda key: margins[key])
        holds = margins[case] > 0 if strict else margins[case] >= 0
        if holds and missing:
            return self.not_run(missing)
        return self.judged(holds, values[case], bound, margins[case], note.format(case))
