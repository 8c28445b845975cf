# SPDX-License-Identifier: MIT
"""The columns made from summaries, and the plain plot of a sweep without a figure module."""

import pandas as pd
from symlab.plot.figure import find_figure
from symlab.plot.render import render
from symlab.results import table
from symlab.results.csv_file import csv_bytes


def test_a_guest_result_never_hides_a_measured_column():
    summary = {
        "simulated_us": 1.0,
        "guest": {"results": {"simulated_us": 9, "lock": 8, "x": 7, "n": 5}},
    }
    row = table.summary_columns(summary, {"lock": "read", "n": 5})
    assert row["simulated_us"] == 1.0
    assert (row["result_simulated_us"], row["result_lock"], row["x"]) == (9, 8, 7)
    assert not {"n", "result_n"} & set(row)  # dropped, since it only repeats the argument


def test_locks_are_summed_and_transactions_counted_for_waiters_and_holders():
    lock = {"acquisitions": 2, "wait_us": 1.5, "hold_us": 3.0, "max_wait_us": 1.0}
    kinds = {"read": 3, "locked-read": 1}
    summary = {
        "bus": {
            "transactions_by_activity": {"spin": kinds, "critical": {"read": 1}, "user": kinds}
        },
        "locks": [lock, lock | {"max_wait_us": 1.25}],
    }
    row = table.summary_columns(summary, {})
    assert (row["spin_read_transactions"], row["spin_locked_read_transactions"]) == (3, 1)
    assert row["critical_read_transactions"] == 1
    assert "user_read_transactions" not in row
    assert (row["lock_acquisitions"], row["lock_wait_us"], row["lock_hold_us"]) == (4, 3.0, 6.0)
    assert row["lock_max_wait_us"] == 1.25


def test_a_region_lasts_from_its_first_begin_to_its_last_end():
    begun = {"number": 2, "first_begin_us": 4.0, "last_end_us": None}
    ended = {"number": 1, "first_begin_us": 1.25, "last_end_us": 31.5}
    row = table.summary_columns({"regions": [ended, begun]}, {})
    assert row["region_1_us"] == 30.25
    assert "region_2_us" not in row


def test_integers_with_gaps_stay_integers_and_floats_stay_exact():
    rows = [{"n": 20, "t": 0.1}, {"n": None, "t": None}, {"n": 3, "t": 2}]
    text = csv_bytes(table.frame(rows, ["n"], ["t"])).decode()
    assert text == "n,t\n20,0.1\n,\n3,2.0\n"


def test_columns_come_in_the_order_asked_for():
    rows = [{"last": 1, "b": 2, "key": 3}, {"a": 4, "key": 5}]
    assert list(table.frame(rows, ["key"], ["last"])) == ["key", "b", "a", "last"]


def test_an_unknown_figure_plots_the_first_numeric_key():
    runs = pd.DataFrame(
        {
            "lock": ["a", "a", "b", "b"],
            "size": [2, 1, 2, 1],
            "elapsed_us": [4.0, 3.0, 2.0, 1.0],
            "status": ["finished", "finished", "finished", "deadlock"],
        }
    )
    figure = find_figure("no-such-figure", ["lock", "size"])
    data = figure.series(runs)
    assert list(data.x) == [1, 2, 2, 1]
    assert list(data.curve) == ["a", "a", "b", "b"]
    assert list(data.status) == ["finished"] * 3 + ["deadlock"]
    assert set(data.y_name) == {"elapsed_us"}
    assert figure.judge(runs) == []
    assert render(figure, runs) == render(figure, runs)


def test_sweeps_without_numeric_keys_or_without_finished_runs_are_plotted():
    words = pd.DataFrame({"lock": ["a", "b"], "simulated_us": [1.0, 2.0], "status": "finished"})
    figure = find_figure("no-such-figure", ["lock"])
    assert list(figure.series(words).x) == [0, 1]
    assert render(figure, words.assign(status="deadlock"))
