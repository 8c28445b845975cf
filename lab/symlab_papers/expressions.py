# SPDX-License-Identifier: MIT
"""The checks of claims that are comparisons, written as expressions in a paper.toml.

    T['mcs', 20] < T['read', 20]              by more than the spreads of both
    T['mcs', 20] - T['mcs', 2] > 0            by more than its spread
    T[x, 20] / T[x, 1] <= 1.3 for x in ('read', 'xchgb')
    2 <= T['read', 20] / T['read', 1] <= 6
    near(T['read', 1], 5.6, 0.5, 'us')        the paper's value, and how far from it

Each is in Python's syntax, with the words of WORDS, the names of ALL's strategies, and what the
figure gives: its curves, of which `[curve, x]` is a point, and constants. Whatever needs more is a
function in Python, in the module of the figure.
"""

import ast
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
from symlab.errors import NotRun
from symlab.plot.curves import Curves
from symlab.plot.figure import Verdict
from symlab.plot.ranged import Ranged

from symlab_papers import names as strategies
from symlab_papers.claims import Claim, Judge
from symlab_papers.measures.fits import line_fit
from symlab_papers.rows import Check, checks_of

NAN = float("nan")


@dataclass
class Points:
    """The curves of a figure in an expression. A point that was not run is noted in `missing`."""

    curves: Curves
    missing: dict[str, list[float]] = field(default_factory=dict)

    def __getitem__(self, at: tuple[str, float]) -> Ranged:
        if at in self.curves:
            return self.curves.ranged(*at)
        of_curve = self.missing.setdefault(at[0], [])
        if at[1] not in of_curve:
            of_curve.append(at[1])
        return Ranged(NAN, NAN)

    def gaps(self) -> list[str]:
        return [
            f"{curve} at {self.curves.symbol}={','.join(f'{x:g}' for x in xs)}"
            for curve, xs in self.missing.items()
        ]


class Case:
    """One case of a comparison, of which several may have the same text."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Near:
    """A value to be within `tolerance` of the paper's."""

    value: Any
    paper: float
    tolerance: float
    unit: str = "us"
    what: str = ""


def top(points: Points, curve: str, xs: Iterable[float]) -> Ranged:
    """The highest point of the curve at `xs`."""
    return points[curve, argmax(points, curve, xs)]


def argmax(points: Points, curve: str, xs: Iterable[float]) -> float:
    """The first of `xs` at which the curve is highest."""
    return max(xs, key=lambda x: points[curve, x].value)


def slope(xs: Iterable[float], ys: Iterable[Any]) -> float:
    """Of the straight line through the points."""
    return _line(xs, ys)[0]


def r2(xs: Iterable[float], ys: Iterable[Any]) -> float:
    """The part of the variance that the straight line through the points explains."""
    return _line(xs, ys)[1]


def _line(xs: Iterable[float], ys: Iterable[Any]) -> tuple[float, float]:
    points = [np.array([float(value) for value in values], dtype=float) for values in (xs, ys)]
    return line_fit(*points) if np.isfinite(points).all() else (NAN, NAN)


WORDS: Mapping[str, Any] = {
    "span": lambda first, last: range(first, last + 1), "pairs": pairwise, "argmax": argmax,
    "top": top, "slope": slope, "r2": r2, "near": Near, "min": min, "max": max, "abs": abs,
    "sum": sum, "sorted": sorted, "float": float,
}  # fmt: skip
STRATEGIES = {name: value for name, value in vars(strategies).items() if name.isupper()}
Names = Mapping[str, Any]  # name -> function from a figure's data to Curves, or any other value


def claims(figure: str, *others: Judge, **names: Any) -> tuple[Judge, ...]:
    """The claims on a figure: those whose checks are expressions with these names, and `others`,
    in the order of their ids."""

    def judge_of(id: str, check: Check) -> Judge:
        return Judge(
            Claim(id, check.check),
            lambda claim, data: judge(claim, check, names, data),
            check.test,
            lambda data: [case for test in evaluated(check, names, data)[0] for case in test.cases],
        )

    stated = [judge_of(id, check) for id, check in checks_of(figure) if check.test]
    return tuple(sorted([*stated, *others], key=lambda one: one.id))


def judge(claim: Claim, check: Check, names: Names, data: pd.DataFrame) -> Verdict:
    """The verdict of all tests of a check. Raises NotRun that names the points without a run."""
    tests, gaps = evaluated(check, names, data)
    if gaps:
        raise NotRun("; ".join(gaps))
    return claim.all_of(*(_judged(claim, test) for test in tests))


@dataclass(frozen=True)
class Evaluated:
    """A test with its values. `compared`: the comparison, or the call of `near`. `cases`: of each
    its note and the values at the places of the comparison."""

    compared: Any
    cases: list[tuple[str, list[Any]]]


def evaluated(check: Check, names: Names, data: pd.DataFrame) -> tuple[list[Evaluated], list[str]]:
    """The tests of a check with their values, and the points without a run."""
    notes = check.note or ("",) * len(check.test)
    texts = [f"{test} {note}" for test, note in zip(check.test, notes, strict=True)]
    used = [name for name in names if any(re.search(rf"\b{name}\b", text) for text in texts)]
    given = {name: names[name](data) if callable(names[name]) else names[name] for name in used}
    known = {n: Points(value) if isinstance(value, Curves) else value for n, value in given.items()}
    words = {**WORDS, **STRATEGIES, **known}
    tests = [_evaluated(*both, words) for both in zip(check.test, notes, strict=True)]
    points = [value for value in known.values() if isinstance(value, Points)]
    return tests, [*dict.fromkeys(gap for value in points for gap in value.gaps())]


def _evaluated(test: str, note: str, words: Names) -> Evaluated:
    parsed = ast.parse(f"({test})", mode="eval").body
    loops = parsed.generators if isinstance(parsed, ast.GeneratorExp) else []
    compared: Any = parsed.elt if isinstance(parsed, ast.GeneratorExp) else parsed
    text = ast.parse(f"f'''{note}'''", mode="eval").body
    two = isinstance(compared, ast.Compare)
    sides = [compared.left, *compared.comparators] if two else [compared]
    row = ast.Tuple([text, *sides], ast.Load())
    every = ast.ListComp(row, loops) if loops else ast.List([row], ast.Load())
    return Evaluated(compared, [(text, values) for text, *values in _value(every, words)])


def _judged(claim: Claim, test: Evaluated) -> Verdict:
    """The verdict of one test, with the note of its decisive case."""
    if isinstance(test.compared, ast.Call):
        ((_, (near,)),) = test.cases
        return claim.near(float(near.value), near.paper, near.tolerance, near.unit, near.what)
    assert isinstance(test.compared, ast.Compare), f"{claim.id}: it compares nothing"
    cases = [(Case(note), values) for note, values in test.cases]
    ops = [type(op) for op in test.compared.ops]
    if ops == [ast.Lt]:
        return claim.ordered({c: (_ranged(less), _ranged(more)) for c, (less, more) in cases}, "{}")
    if ops == [ast.Gt] and getattr(test.compared.comparators[0], "value", None) == 0:
        return claim.positive({c: _ranged(value) for c, (value, _) in cases}, "{}")
    if not cases:
        return claim.not_run("all runs")
    bounds = [_plain(value) for value in cases[0][1]]
    if ops == [ast.LtE, ast.LtE]:
        return claim.between({c: _plain(v[1]) for c, v in cases}, bounds[0], bounds[2], "{}")
    assert ops in ([ast.LtE], [ast.GtE]), f"{claim.id}: no rule for {ast.unparse(test.compared)}"
    compare = claim.at_most if ops == [ast.LtE] else claim.at_least
    return compare({case: _plain(value) for case, (value, _) in cases}, bounds[1], "{}")


def _ranged(value: Any) -> Ranged:
    return value if isinstance(value, Ranged) else Ranged(float(value), 0.0)


def _plain(value: Any) -> Any:
    return value.value if isinstance(value, Ranged) else value


def _value(expression: ast.expr, words: Names) -> Any:
    """The value of an expression of the tree's own files, in which there is no name but `words`."""
    whole = ast.fix_missing_locations(ast.Expression(expression))
    return eval(compile(whole, "paper.toml", "eval"), {"__builtins__": {}, **words})
