# SPDX-License-Identifier: MIT
"""The comparisons that verdicts are made of, and the fits."""

import numpy as np
import pandas as pd
import pytest
from symlab.errors import NotRun
from symlab.paper.claims import Claim, judges
from symlab.paper.measures.fits import curvature, line_fit, two_line_fit
from symlab.plot.curves import Curves
from symlab.plot.repeats import averaged

CLAIM = Claim("ALL-0", "a check")


def test_the_worst_case_decides_and_is_named():
    verdict = CLAIM.at_most({"a": 1.0, "b": 3.0}, 2.0, note="at {}")
    assert (verdict.state, verdict.value, verdict.margin) == ("fails", 3.0, -1.0)
    assert verdict.note == "at b"
    verdict = CLAIM.at_least({"a": 1.0, "b": 3.0}, 1.0, note="at {}")
    assert (verdict.state, verdict.value, verdict.note) == ("holds", 1.0, "at a")


def test_a_value_at_the_bound_holds_but_an_ordering_is_strict():
    assert CLAIM.at_most({"": 2.0}, 2.0).state == "holds"
    assert CLAIM.at_least({"": 2.0}, 2.0).state == "holds"
    assert CLAIM.ordered({"": (2.0, 2.0, 0.0)}).state == "fails"


def test_an_ordering_must_exceed_the_spread():
    verdict = CLAIM.ordered({"p": (9.0, 10.0, 0.5)})
    assert (verdict.state, verdict.value) == ("holds", 0.9)
    assert verdict.margin == pytest.approx(0.05)
    assert CLAIM.ordered({"p": (9.0, 10.0, 1.0)}).state == "fails"


def test_a_claim_whose_runs_are_missing_is_not_judged():
    @judges("ALL-0", "read at most 2")
    def judge(claim, data):
        curves = Curves.of(data, "t", x="x")
        return claim.at_most({"": curves["read", 4]}, 2.0)

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
    curves = Curves.of(data, "t", x="x", spread="spread", symbol="s")
    assert curves.pair(("a", 1), ("a", 1)) == (3.0, 3.0, 5.0)
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
