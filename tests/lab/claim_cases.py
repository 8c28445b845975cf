# SPDX-License-Identifier: MIT
"""Checks that the tests of all figures share: each claim can hold, fail and be not run."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure as Canvas
from symlab.plot.figure import Figure, Verdict
from symlab_papers.claims import Judge


def table(row, *axes) -> pd.DataFrame:
    """A finished run for each combination of the axes' values; `row` computes its columns."""
    points: list[tuple[Any, ...]] = [()]
    for values in axes:
        points = [(*point, value) for point in points for value in values]
    return pd.DataFrame([{**row(*point), "status": "finished"} for point in points])


def without(runs: pd.DataFrame, **row) -> pd.DataFrame:
    chosen = np.logical_and.reduce([runs[column] == value for column, value in row.items()])
    return runs[~chosen]


def check_three_states(
    figure: Figure, claim, good: pd.DataFrame, bad: pd.DataFrame, gap: pd.DataFrame, missing: str
) -> Verdict:
    """Checks that `claim` holds on the runs `good`, fails on `bad` and is not run on `gap`.

    The verdict on `gap` must name `missing`. Returns the failing verdict.
    """
    assert claim in figure.claims
    held, failed, unknown = (claim(figure.series(runs)) for runs in (good, bad, gap))
    assert (held.state, failed.state, unknown.state) == ("holds", "fails", "not run")
    assert held.margin is not None and held.margin >= 0
    assert failed.margin is None or failed.margin <= 0
    assert missing in unknown.note
    assert held.id == failed.id == unknown.id == claim.id
    assert held.check == failed.check == unknown.check
    empty = claim(figure.series(good.iloc[:0]))
    assert empty.state == "not run"
    return failed


def claim_of(module: Any, id: str) -> Any:
    """The claim `id` of a module's figures."""
    figures = [getattr(module, "FIGURE", None), *getattr(module, "FIGURES", {}).values()]
    claims = (claim for figure in figures if figure for claim in figure.claims)
    return next(claim for claim in claims if claim.id == id)


def figure_of(case: tuple) -> Figure:
    """The figure of a case, whose first entry is the figure or its module."""
    return getattr(case[0], "FIGURE", case[0])


# A case: figure, name of the claim (all_43), function that makes the runs, its arguments that make
# the claim fail, a row to be left out, and the text with which the verdict then names that row.
def check_case(case: tuple) -> None:
    _, name, runs, doctored, left_out, missing = case
    figure = figure_of(case)
    claim = next(claim for claim in figure.claims if name_of(claim) == name)
    gap = without(runs(), **left_out)
    check_three_states(figure, claim, runs(), runs(**doctored), gap, missing)


def figures_of(cases: list[tuple]) -> list[tuple]:
    """Each figure once, with the function for runs of its first case."""
    return list({id(case[0]): (figure_of(case), case[2]) for case in reversed(cases)}.values())


def name_of(claim) -> str:
    """all_43 for ALL-43."""
    return claim.id.lower().replace("-", "_")


def check_figure(figure: Figure, runs, cases: list[tuple]) -> None:
    """Checks that every claim with a function has a case, and that the figure draws something."""
    tested = {case[1] for case in cases if figure_of(case) is figure}
    with_code = [claim for claim in figure.claims if isinstance(claim, Judge) and not claim.tests]
    assert {name_of(claim) for claim in with_code} <= tested
    ax = Canvas().add_subplot()
    figure.draw(ax, figure.series(runs()))
    assert (ax.get_lines() or ax.patches) and ax.get_xlabel() and ax.get_ylabel()
