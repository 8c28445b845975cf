# SPDX-License-Identifier: MIT
"""The comparisons that verdicts are made of, and the fits."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from symlab.errors import NotRun
from symlab.plot.curves import Curves
from symlab.plot.figure import Verdict
from symlab.plot.ranged import Ranged
from symlab.plot.repeats import averaged
from symlab_papers.claims import Claim, Judge
from symlab_papers.measures.fits import curvature, curvature_spread, line_fit, two_line_fit

CLAIM = Claim("ALL-0", "a check")
PAPERS = Path(__file__).parents[2] / "papers"


def test_the_worst_case_decides_and_is_named():
    verdict = CLAIM.at_most({"a": 1.0, "b": 3.0}, 2.0, note="at {}")
    assert (verdict.state, verdict.value, verdict.margin) == ("fails", 3.0, -1.0)
    assert verdict.note == "at b"
    verdict = CLAIM.at_least({"a": 1.0, "b": 3.0}, 1.0, note="at {}")
    assert (verdict.state, verdict.value, verdict.note) == ("holds", 1.0, "at a")


def pair(less: float, more: float, spread: float) -> tuple[Ranged, Ranged]:
    """Two sides of an ordering; `spread`: the sum of theirs."""
    return Ranged(less, 0.0), Ranged(more, spread)


def test_a_value_at_the_bound_holds_but_an_ordering_is_strict():
    assert CLAIM.at_most({"": 2.0}, 2.0).state == "holds"
    assert CLAIM.at_least({"": 2.0}, 2.0).state == "holds"
    assert CLAIM.ordered({"": pair(2.0, 2.0, 0.0)}).state == "fails"


def test_an_ordering_must_exceed_the_spread():
    verdict = CLAIM.ordered({"p": pair(9.0, 10.0, 0.5)})
    assert (verdict.state, verdict.value) == ("holds", 0.9)
    assert verdict.margin == pytest.approx(0.05)
    values = (8.9, 9.0, 10.9, 11.0)
    states = {less: CLAIM.ordered({"p": pair(less, 10.0, 1.0)}).state for less in values}
    assert states == {8.9: "holds", 9.0: "undecided", 10.9: "undecided", 11.0: "fails"}
    both = CLAIM.ordered({"a": pair(9.5, 10.0, 1.0), "b": pair(12.0, 10.0, 1.0)}, "{}")
    assert (both.state, both.note) == ("fails", "b"), "one counterexample is enough"
    both = CLAIM.ordered({"a": pair(9.5, 10.0, 1.0), "b": pair(5.0, 10.0, 1.0)}, "{}")
    assert (both.state, both.note) == ("undecided", "a")


def test_without_a_measured_spread_an_ordering_is_decided_and_says_so():
    nan = float("nan")
    states = {less: CLAIM.ordered({"p": pair(less, 10.0, nan)}, "{}") for less in (9.9, 10.1)}
    assert [v.state for v in states.values()] == ["holds", "fails"]
    assert {v.note for v in states.values()} == {"p; no spread measured"}


def test_differences_are_ordered_by_the_same_rule():
    def state(value: float, spread: float) -> str:
        return CLAIM.positive({"p": Ranged(value, spread)}).state

    assert [state(v, 1.0) for v in (1.1, 1.0, -0.9, -1.0)] == [
        "holds", "undecided", "undecided", "fails",
    ]  # fmt: skip
    assert [state(v, float("nan")) for v in (0.1, 0.0, -0.1)] == ["holds", "fails", "fails"]


def test_what_does_not_rise_may_rise_by_its_spread():
    def verdict(value: float, spread: float):
        return CLAIM.not_positive({"p": Ranged(value, spread)}, 0.01, "{}")

    assert [verdict(v, 1.0).state for v in (-3.0, 1.0, 1.1)] == ["holds", "holds", "fails"]
    assert [verdict(v, float("nan")).state for v in (0.01, 0.02)] == ["holds", "fails"]
    assert verdict(0.0, float("nan")).note == "p; no spread measured"


def test_what_is_computed_has_the_largest_spread_of_its_operands():
    a, b = Ranged(10.0, 1.0), Ranged(4.0, 0.2)
    assert (a - b, a + b, a * 2) == (
        Ranged(6.0, 1.2), Ranged(14.0, 1.2), Ranged(20.0, 2.0),
    )  # fmt: skip
    ratio = a / b
    assert (ratio.value, ratio.spread) == pytest.approx((2.5, (1 + 0.2 * 2.5) / 4))


def test_a_claim_that_does_not_hold_has_no_positive_margin():
    with pytest.raises(AssertionError, match="margin 1"):
        CLAIM.judged(False, 1.0, 2.0, 1.0)
    for paper in (json.loads(file.read_text()) for file in PAPERS.glob("*/results/claims.json")):
        for claim in paper["claims"]:
            positive = claim["margin"] is not None and claim["margin"] > 0
            assert claim["verdict"] == "holds" or not positive, claim["id"]


def test_a_part_that_is_undecided_decides_over_one_that_holds_only():
    def part(state, margin=None):
        return Verdict("ALL-0", state, None, None, margin, "", state)

    states = ["fails", "not run", "undecided", "holds"]
    for at, state in enumerate(states):
        assert CLAIM.all_of(*(part(s, 1.0 * (s == "holds")) for s in states[at:])).state == state


def test_the_spread_of_a_curvature_is_the_most_that_it_can_change():
    x = np.arange(16.0)
    y, spreads = 0.01 * x**2, 0.1 + 0.01 * x
    bends = [curvature(x, y + sign * spreads) for sign in (np.sign(np.cos(x)), np.sign(x - 7.5))]
    most = curvature_spread(x, spreads)
    assert all(abs(bend - 0.01) <= most for bend in bends)
    worst = np.sign(np.linalg.pinv(np.vander(x, 3))[0])
    assert curvature(x, y + worst * spreads) == pytest.approx(0.01 + most)


def test_a_claim_whose_runs_are_missing_is_not_judged():
    def function(claim, data):
        curves = Curves.of(data, "t", x="x")
        return claim.at_most({"": curves["read", 4]}, 2.0)

    judge = Judge(Claim("ALL-0", "read at most 2"), function)
    runs = pd.DataFrame({"lock": ["read"], "x": [4], "t": [3.0]})
    assert judge(runs).state == "fails"
    missing = judge(runs.assign(x=5))
    assert (missing.state, missing.note) == ("not run", "missing read at P=4")
    assert (missing.id, missing.check) == (judge.id, "read at most 2")
    assert CLAIM.at_most({}, 2.0).state == "not run"


def test_repeated_runs_become_their_mean_and_half_their_range():
    runs = pd.DataFrame({"lock": ["a", "a", "a", "b"], "x": [1, 1, 1, 1], "t": [1, 2, 6, np.nan]})
    data = averaged(runs, ["lock", "x"], "t", "spread")
    assert data.to_dict("records") == [{"lock": "a", "x": 1, "t": 3.0, "spread": 2.5}]
    curves = Curves.of(data, "t", x="x", symbol="s")
    assert curves.pair(("a", 1), ("a", 1)) == (Ranged(3.0, 2.5), Ranged(3.0, 2.5))
    with pytest.raises(NotRun, match=r"a at s=2\.5; b at s=1,2\.5"):
        curves.require(["a", "b"], [1, 2.5])


def test_fits_recover_the_parameters_of_the_data():
    x = np.arange(1.0, 21.0)
    assert line_fit(x, 3 * x + 1) == pytest.approx((3, 1))
    assert line_fit(x, 0 * x + 1) == pytest.approx((0, 1))
    assert line_fit(x, x**2)[1] < 0.97
    assert curvature(x, 2 * x**2 - x) == pytest.approx(2)
    assert curvature(x, np.sqrt(x)) < 0
    assert two_line_fit(x, 10 + 0.1 * x + 2 * np.maximum(x - 11, 0)) == pytest.approx(
        (11, 0.1, 2.1)
    )


def test_fits_have_no_digits_that_depend_on_the_host():
    x = np.arange(1.0, 21.0)
    y = np.sqrt(x) / 3
    for value in [*line_fit(x, y), curvature(x, y), *two_line_fit(x, y)]:
        assert value == float(f"{value:.9g}")
