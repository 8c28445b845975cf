# SPDX-License-Identifier: MIT
"""Summaries become columns; a sweep without a figure module still gets a plot."""

import pandas as pd
from symlab import table
from symlab.figure import find_figure, render


def test_a_guest_result_never_hides_a_measured_column():
    summary = {
        "simulated_us": 1.0,
        "guest": {"results": {"simulated_us": 9, "lock": 8, "x": 7, "n": 5}},
    }
    row = table.summary_columns(summary, {"lock": "read", "n": 5})
    assert row["simulated_us"] == 1.0
    assert (row["result_simulated_us"], row["result_lock"], row["x"]) == (9, 8, 7)
    assert not {"n", "result_n"} & set(row)  # only repeats the argument


def test_whole_numbers_with_gaps_stay_whole_and_floats_stay_exact():
    rows = [{"n": 20, "t": 0.1}, {"n": None, "t": None}, {"n": 3, "t": 2}]
    text = table.csv_bytes(table.frame(rows, ["n"], ["t"])).decode()
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
    assert list(data.x) == [1, 2, 2]
    assert list(data.curve) == ["a", "a", "b"]
    assert set(data.y_name) == {"elapsed_us"}
    assert figure.judge(runs) == []
    assert render(figure, runs) == render(figure, runs)


def test_a_sweep_of_words_only_and_a_sweep_without_a_finished_run_still_draw():
    words = pd.DataFrame({"lock": ["a", "b"], "simulated_us": [1.0, 2.0], "status": "finished"})
    figure = find_figure("no-such-figure", ["lock"])
    assert list(figure.series(words).x) == [0, 1]
    assert render(figure, words.assign(status="deadlock"))
