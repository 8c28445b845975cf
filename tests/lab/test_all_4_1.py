# SPDX-License-Identifier: MIT
"""ALL Figure 4.1: each claim holds on suitable data and fails on data that contradicts it."""

import json
import subprocess
import sys
from typing import Any

import numpy as np
import pandas as pd
import pytest
from claim_cases import check_three_states, claim_of
from matplotlib.figure import Figure as Canvas
from symlab.errors import UserError
from symlab.plot.render import render
from symlab_papers.papers.ALL.figures import all_4_1
from symlab_papers.papers.ALL.figures.all_4_1 import FIGURE, draw, series

all_43, all_44, all_45, all_46, all_47, all_48, all_57 = (
    claim_of(all_4_1, f"ALL-{number}") for number in (*range(43, 49), 57)
)

LOCKS = {
    "xchgb": lambda p: 10.0 + 2.0 * (p - 1),
    "read": lambda p: 10.0 + 1.5 * (p - 1),
    "backoff": lambda p: 10.0 + 0.02 * p + 0.8 * max(0, p - 11),
}


def runs(increments: int = 1_000_000, **locks) -> pd.DataFrame:
    """The table of a sweep in which all claims hold, with other times for the locks given."""
    rows = [
        {
            "processors": p,
            "lock": lock,
            "increments": increments,
            "elapsed_us": seconds(p) * increments,
            "status": "finished",
        }
        for p in range(1, 21)
        for lock, seconds in {**LOCKS, **locks}.items()
    ]
    return pd.DataFrame(rows)


def without(table: pd.DataFrame, lock: str, processors: int) -> pd.DataFrame:
    return table[~((table.lock == lock) & (table.processors == processors))]


def states(table: pd.DataFrame) -> dict[str, str]:
    return {verdict.id: verdict.state for verdict in FIGURE.judge(table)}


CASES = [
    # claim, times with which it fails, a row without which it cannot be judged
    (all_43, {"read": lambda p: 10.0 + 0.1 * p}, ("read", 20)),
    (all_43, {"xchgb": lambda p: 10.0}, ("xchgb", 1)),
    (all_44, {"read": lambda p: 10.0 + (p > 8) * p}, ("read", 8)),
    (all_44, {"xchgb": lambda p: 10.0 + (p > 8) * p}, ("xchgb", 8)),
    (all_45, {"backoff": lambda p: 10.0 + 3 * (p == 7)}, ("backoff", 4)),
    (all_46, {"backoff": lambda p: 10.0}, ("backoff", 10)),
    (all_46, {"backoff": lambda p: 20.0 - 0.1 * p}, ("backoff", 20)),
    (all_47, {"backoff": lambda p: 10.0 + p}, ("backoff", 13)),
    (all_47, {"backoff": lambda p: 10.0 + max(0, p - 5)}, ("backoff", 2)),
    (all_47, {"backoff": lambda p: 10.0 + max(0, p - 16)}, ("backoff", 20)),
    (all_47, {"backoff": lambda p: 50.0 - max(0, p - 11)}, ("backoff", 1)),
    (all_48, {"backoff": lambda p: 10.0 + 30 * (p == 15)}, ("read", 12)),
    (all_48, {"read": lambda p: 10.0}, ("xchgb", 10)),
]


@pytest.mark.parametrize(("claim", "doctored", "needed"), CASES)
def test_a_claim_holds_fails_and_is_not_run(claim, doctored, needed):
    gap = without(runs(), *needed)
    missing = f"{needed[0]} at P={needed[1]}"
    check_three_states(FIGURE, claim, runs(), runs(**doctored), gap, missing)


def test_a_breakpoint_out_of_range_has_a_margin_of_its_own():
    found = all_47(series(runs(backoff=lambda p: 10.0 + max(0, p - 5))))
    assert (found.state, found.value, found.bound) == ("fails", pytest.approx(5, abs=0.1), 8)
    assert found.margin == pytest.approx(-3, abs=0.1)


def test_a_waiter_with_backoff_misses_twice_a_section():
    def counted(each: float) -> pd.DataFrame:
        table = runs()
        spinners = (table["processors"] - 1) * table["increments"]
        return table.assign(spin_read_transactions=each * spinners)

    gap = without(counted(2.0), "backoff", 9)
    missing = "column spin_read_transactions at P=9"
    failed = check_three_states(FIGURE, all_57, counted(2.0), counted(0.6), gap, missing)
    assert failed.note.startswith("0.6 read misses")
    assert all_57(series(runs())).state == "not run", "a table without the column"


def test_without_any_run_no_claim_is_judged():
    expected = {f"ALL-{number}": "not run" for number in (*range(43, 49), 57)}
    assert states(runs().iloc[:0]) == expected
    failed = runs().assign(status="deadlock", elapsed_us=float("nan"))
    assert states(failed) == expected
    assert states(pd.DataFrame({"processors": [1], "status": ["deadlock"]})) == expected


def test_a_claim_with_a_counterexample_is_not_judged_while_other_rows_are_missing():
    table = runs(backoff=lambda p: 10.0 + 9 * (p == 10) + 50 * (p == 15))
    assert states(table)["ALL-45"] == states(table)["ALL-48"] == "fails"
    assert states(without(table, "backoff", 4))["ALL-45"] == "not run"
    assert states(without(table, "read", 12))["ALL-48"] == "not run"


@pytest.mark.parametrize(
    ("claim", "lock", "at", "factor"),
    [
        (all_43, "read", 20, 2.0),
        (all_44, "xchgb", 8, 1.3),
        (all_45, "backoff", 9, 1.25),
    ],
)
def test_the_bound_of_a_ratio_is_exactly_that_of_the_claim(claim, lock, at, factor):
    def state(ratio: float) -> str:
        steep = {m: lambda p: 1.0 + 9 * (p > 1) for m in ("xchgb", "read")}
        flat = {"backoff": lambda p: 1.0}
        shape: Any = {
            **steep,
            **flat,
            lock: lambda p: ratio if p == at else (steep | flat)[lock](p),
        }
        return claim(series(runs(**shape))).state

    within, beyond = (factor, factor + 0.001) if claim is all_45 else (factor, factor - 0.001)
    assert (state(within), state(beyond)) == ("holds", "fails")


def test_an_ordering_must_exceed_the_spread_of_repeated_runs():
    slightly = {"backoff": lambda p: 10.0 + 0.03 * (p == 20)}
    other_seed = runs(backoff=lambda p: 10.0 - 0.01 * (p == 20))
    assert all_46(series(runs(**slightly))).state == "holds"
    both = series(pd.concat([runs(**slightly), other_seed]))  # means 10.00 and 10.01, spread 0.02
    assert all_46(both).state == "undecided"


def test_time_is_given_for_a_million_increments_whatever_was_run():
    pd.testing.assert_frame_equal(series(runs(increments=1000)), series(runs()))
    first = series(runs()).iloc[0]
    assert (first.processors, first.lock, first.seconds) == (1, "backoff", 10.02)


def test_series_leaves_its_input_alone_and_ignores_its_order():
    table = runs()
    copy = table.copy()
    shuffled = series(table.sample(frac=1, random_state=1))
    pd.testing.assert_frame_equal(shuffled, series(table))
    pd.testing.assert_frame_equal(table, copy)


def test_a_table_without_the_guests_result_is_an_error_not_an_empty_figure():
    with pytest.raises(UserError, match="no column elapsed_us"):
        series(runs().drop(columns="elapsed_us"))


def test_each_lock_has_a_curve_in_its_own_style_whichever_locks_were_run():
    def lines(table: pd.DataFrame) -> dict[str, tuple]:
        ax = Canvas().add_subplot()
        draw(ax, series(table))
        return {
            str(line.get_label()): (
                line.get_color(),
                line.get_linestyle(),
                len(np.asarray(line.get_xdata())),
            )
            for line in ax.get_lines()
        }

    every = lines(runs())
    assert list(every) == ["TAS (xchgb)", "TTAS (read)", "backoff after release"]
    assert {points for _, _, points in every.values()} == {20}
    assert len({style for _, style, _ in every.values()}) == 3
    table = runs()
    alone = lines(table[table.lock == "backoff"])
    assert alone == {"backoff after release": every["backoff after release"]}


def test_the_files_do_not_depend_on_the_order_of_rows_or_a_users_settings():
    import matplotlib

    first = render(FIGURE, runs())
    with matplotlib.rc_context({"lines.linewidth": 7, "svg.hashsalt": "other"}):
        assert render(FIGURE, runs().sample(frac=1, random_state=2)) == first


def test_the_claims_command_judges_a_csv(tmp_path):
    csv = tmp_path / "all-4.1.csv"
    runs(backoff=lambda p: 10.0 + p).to_csv(csv, index=False)
    command = [sys.executable, "-m", "symlab", "paper", "ALL", "claims", str(csv)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "ALL-47" in done.stdout
    document = json.loads((tmp_path / "all-4.1-claims.json").read_text())
    found = {claim["id"]: claim["verdict"] for claim in document["claims"]}
    assert (found["ALL-43"], found["ALL-47"]) == ("holds", "fails")
    assert "| **fails** |" in (tmp_path / "all-4.1-claims.md").read_text()


def test_the_claims_command_refuses_what_it_cannot_judge(tmp_path):
    (tmp_path / "other.csv").write_text("status\nfinished\n")
    for name, message in (("other.csv", "no claims are known"), ("none.csv", "cannot be read")):
        command = [sys.executable, "-m", "symlab", "paper", "ALL", "claims", str(tmp_path / name)]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 2
        assert message in done.stderr
