# SPDX-License-Identifier: MIT
"""Checks of claims that are expressions in a paper.toml: what each form judges, and its notes."""

import pandas as pd
import pytest
from symlab.plot.curves import Curves
from symlab.plot.figure import Verdict
from symlab_papers.claims import Claim, Judge
from symlab_papers.expressions import WORDS, judge
from symlab_papers.paper import known
from symlab_papers.rows import Check, rows

TIMES = {"mcs": (10.0, 10.5, 11.0), "read": (10.0, 15.0, 30.0)}


def data(spread: float = 0.5, without: tuple[str, int] = ("", 0)) -> pd.DataFrame:
    times = [(lock, (1, 8, 20), of) for lock, of in TIMES.items()]
    points = [(lock, p, t) for lock, ps, of in times for p, t in zip(ps, of, strict=True)]
    kept = [(lock, p, t, spread) for lock, p, t in points if (lock, p) != without]
    return pd.DataFrame(kept, columns=["lock", "processors", "us", "spread"])


def judged(test: str, note: str = "", of: pd.DataFrame | None = None) -> Verdict:
    check = Check("x", "in words", (test,), (note,) if note else ())
    names = {"T": lambda data: Curves.of(data, "us"), "MANY": (8, 20)}
    claim = Judge(Claim("X-1", "in words"), lambda c, d: judge(c, check, names, d))
    return claim(data() if of is None else of)


@pytest.mark.parametrize(
    ("test", "state", "value", "bound"),
    [
        ("T['mcs', 20] < T['read', 20]", "holds", 11 / 30, 1.0),
        ("T['mcs', 1] < T['read', 1]", "undecided", 1.0, 1.0),
        ("T['read', 8] < T['mcs', 8]", "fails", 15 / 10.5, 1.0),
        ("T['mcs', 20] - T['mcs', 1] > 0", "undecided", 1.0, 0.0),
        ("T['read', 20] - T['read', 1] > 0", "holds", 20.0, 0.0),
        ("T[x, 20] / T[x, 1] <= 2 for x in ('mcs', 'read')", "fails", 3.0, 2),
        ("T['read', p] / T['read', 1] >= 1.5 for p in MANY", "holds", 1.5, 1.5),
        ("1 <= T[x, 20] / T[x, 1] <= 3 for x in ('mcs', 'read')", "holds", 3.0, 3),
        ("near(T['read', 1], 5.6, 0.5)", "fails", 10.0, 6.1),
        ("argmax(T, 'read', span(8, 8)) <= 8", "holds", 8, 8),
        ("top(T, 'read', (1, 8, 20)) >= 30", "holds", 30.0, 30),
        ("slope((1, 8, 20), [T['read', p] for p in (1, 8, 20)]) >= 1", "holds", None, 1),
        ("T['read', q] - T['read', p] > 0 for p, q in pairs((1, 8, 20))", "holds", 5.0, 0.0),
    ],
)
def test_each_form_is_judged_by_its_rule(test, state, value, bound):
    found = judged(test)
    assert (found.state, found.bound) == (state, pytest.approx(bound))
    assert value is None or found.value == pytest.approx(value)
    assert found.check == "in words"


def test_the_note_is_that_of_the_decisive_case():
    found = judged("T[x, 20] / T[x, 1] <= 2 for x in ('mcs', 'read')", "{x}: {T[x, 20]:.0f} us")
    assert found.note == "read: 30 us"


def test_all_points_that_were_not_run_are_named():
    gap = data(without=("read", 8))
    found = judged("T['mcs', p] < T['read', p] for p in (1, 8, 12)", of=gap)
    assert (found.state, found.note) == ("not run", "missing read at P=8,12; mcs at P=12")
    assert judged("T['mcs', 20] < T['read', 20]", of=gap).state == "holds"


@pytest.mark.parametrize("test", ["open('x') <= 1", "__import__('os') <= 1", "T.curves <= other"])
def test_an_expression_has_no_other_words(test):
    with pytest.raises((NameError, AttributeError)):
        judged(test)


@pytest.mark.parametrize("test", ["T['mcs', 1]", "T['mcs', 1] != 2"])
def test_what_compares_nothing_is_refused(test):
    with pytest.raises(AssertionError, match="X-1"):
        judged(test)


def test_most_checks_are_expressions_and_the_words_are_few():
    listed = [row for paper in known() for row in rows(paper).values()]
    checks = [check for row in listed for check in row.checks]
    assert sum(bool(check.test) for check in checks) >= 110
    assert len(checks) >= 172 and len(WORDS) <= 15
