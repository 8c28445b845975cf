# SPDX-License-Identifier: MIT
"""The figures of MTH about its models: each claim holds, fails and is not run on made-up runs."""

from typing import Any

import pandas as pd
import pytest
from claim_cases import check_case, table, without
from matplotlib.figure import Figure as Canvas
from symlab_papers.affinity import equations
from symlab_papers.affinity.replay import MODELS
from symlab_papers.papers.MTH.figures import mth_4_3, mth_5_2, mth_5_3, mth_6

CACHE = 2048
ORDER = mth_5_3.FIGURES["order"]


def pools(shorter: int = 0) -> pd.DataFrame:
    def run(limit: int) -> dict:
        return {
            "pool_limit": limit,
            "whole_lists": 100,
            "list_accesses": 100 * limit // 2 - shorter,
        }

    return table(run, (4, 8, 16, 32))


def ageing(hyperbolic_us: int = 85_333, turns: int = 1, exponential_turns: int = 0) -> pd.DataFrame:
    def run(affinity: str) -> dict:
        known = {"affinity": affinity, "unit_us": 1000}
        if affinity == "exponential":
            return known | {"crossing_us": 0, "turns": exponential_turns}
        return known | {"crossing_us": hyperbolic_us, "turns": turns}

    return table(run, ("hyperbolic", "exponential"))


def footprints(held: float = 0.0, left: float = 0.0) -> pd.DataFrame:
    """Runs that agree with the equations; under random loads `held` and `left` lines off."""

    def run(pattern: str, loads: int) -> dict:
        off_held, off_left = (held, left) if pattern == "random" else (300.0, 300.0)
        has = float(equations.lines_held(CACHE, 0, loads)) + off_held
        misses = {"own_misses": float(loads), "foreign_misses": float(loads)}
        lines = {"held_lines": has, "left_lines": float(equations.lines_left(CACHE, has, loads))}
        lines["left_lines"] += off_left
        return {"pattern": pattern, "loads": loads, "cache_lines": CACHE, **misses, **lines}

    return table(run, ("random", "sweep", "stride"), (256, 2048))


def transients(late_first: float = 900.0) -> pd.DataFrame:
    def run(footprint: int, foreign: int) -> dict:
        first = 10.0 if foreign == 0 else late_first
        misses = first if footprint == 900 else 600.0 + foreign / 10
        left = 900 if footprint == 900 else 100
        known = {"footprint": footprint, "left": left, "foreign": foreign}
        return known | {"cache_lines": 1024, "reload_misses": misses}

    return table(run, (900, 500), (0, 200))


CASES = [
    (mth_4_3, "mth_27", pools, {"shorter": 10}, {"pool_limit": 16}, "M=16"),
    (mth_6, "mth_23", ageing, {"hyperbolic_us": 86_000}, {"affinity": "hyperbolic"}, "hyperbolic"),
    (mth_6, "mth_24", ageing, {"exponential_turns": 1}, {"affinity": "exponential"}, "exponential"),
    (mth_5_3, "mth_19", footprints, {"held": 21.0}, {"pattern": "random"}, "random"),
    (mth_5_3, "mth_20", footprints, {"left": -21.0}, {"pattern": "random"}, "random"),
    (ORDER, "mth_22", transients, {"late_first": 600.0}, {"foreign": 200}, "900 lines, 200"),
]


@pytest.mark.parametrize("case", CASES, ids=[case[1] for case in CASES])
def test_each_claim_has_three_states(case: tuple) -> None:
    check_case(case)


def test_the_guests_order_must_change_once() -> None:
    data = mth_6.FIGURE.series(ageing(turns=3))
    assert mth_6.mth_23(data).state == "fails"


# MTH-21 is judged by Monte Carlo alone, so its data are doctored, not the runs.
@pytest.mark.parametrize("quantity", ["reload", "back"])
def test_equation_10_is_compared_with_the_monte_carlo(quantity: str) -> None:
    data = mth_5_3.FIGURE.series(footprints())
    assert mth_5_3.mth_21(data).state == "holds"
    wrong = data["counted"].where(data["quantity"] != quantity, data["counted"] * 1.02)
    assert mth_5_3.mth_21(data.assign(counted=wrong)).state == "fails"
    assert mth_5_3.mth_21(mth_5_3.FIGURE.series(footprints().iloc[:0])).state == "not run"


@pytest.mark.parametrize(("claim", "quantity"), [("mth_19", "held"), ("mth_20", "left")])
def test_equations_7_and_9_are_compared_with_the_monte_carlo(claim: str, quantity: str) -> None:
    data = mth_5_3.FIGURE.series(footprints())
    doctored = (data["quantity"] == quantity) & (data["source"] == mth_5_3.MONTE_CARLO)
    wrong = data.assign(counted=data["counted"].mask(doctored, data["counted"] * 0.98))
    assert getattr(mth_5_3, claim)(wrong).state == "fails"


def residents() -> pd.DataFrame:
    def run(affinity: str, pattern: str) -> dict:
        scores = {f"tau_{model}": 0.1 * at for at, model in enumerate(MODELS)}
        scores |= {f"missing_{model}": -0.1 * at for at, model in enumerate(MODELS)}
        scores |= {"error_reload": 20.0, "error_cmsum": 900.0}
        lines = {"mean_lines": 30.0, "chosen_lines": 40.0, "most_lines": 90.0}
        lines["period_misses"] = 200.0
        return {"affinity": affinity, "pattern": pattern, **scores, **lines}

    return table(run, ("vtime", "none"), ("unequal", "equal", "random"))


def test_each_run_scores_all_models() -> None:
    data = mth_5_2.FIGURE.series(residents())
    assert len(data) == 6 * len(MODELS)
    assert list(data["model"][: len(MODELS)]) == list(MODELS)
    rows = data[(data["affinity"] == "none") & (data["pattern"] == "equal")].set_index("model")
    assert rows.loc["vtime", "tau"] == pytest.approx(0.1)
    assert rows.loc["reload", "missing"] == pytest.approx(-0.6)
    assert rows.loc["reload", "error"] == 20
    error: Any = rows.loc["vtime", "error"]
    assert pd.isna(error)
    assert set(data["most_lines"]) == {90}


@pytest.mark.parametrize(
    ("figure", "runs"),
    [
        (mth_4_3.FIGURE, pools()),
        (mth_6.FIGURE, ageing()),
        (mth_5_3.FIGURE, footprints()),
        (ORDER, transients()),
        (mth_5_2.FIGURE, residents()),
        (mth_5_2.FIGURE, without(residents(), pattern="equal")),
    ],
)
def test_every_figure_draws_something(figure, runs: pd.DataFrame) -> None:
    ax = Canvas().add_subplot()
    figure.draw(ax, figure.series(runs))
    assert ax.get_lines() and ax.get_xlabel() and ax.get_ylabel()
