# SPDX-License-Identifier: MIT
"""`[sweep] repeats`: each point runs with several seeds, and figures combine these runs."""

import os
from pathlib import Path

import pandas as pd
import pytest
from conftest import Lab
from matplotlib.figure import Figure as Canvas
from symlab import UserError, sweep
from symlab.plot.generic import draw, guessed, series
from symlab.runs.grid import MOST_REPEATS
from symlab.runs.sweeping import Order, number_of_points

ONE = {"machine.processors": [2], "guest.args.lock": "read", "sweep.repeats": 3}


@pytest.fixture
def seeded(lab: Lab) -> Lab:
    lab.config.write_text(lab.config.read_text() + "[run]\nseed = 5\n")
    return lab


def swept(lab: Lab, **more: object) -> pd.DataFrame:
    return sweep(lab.config, out=lab.out, jobs=2, settings={**ONE, **more}, simulator=lab.simulator)


def test_each_point_runs_with_consecutive_seeds_from_that_of_the_config(seeded):
    frame = swept(seeded)
    assert list(frame.seed) == [5, 6, 7]
    assert list(frame.columns[:3]) == ["processors", "lock", "seed"]
    assert frame.run.nunique() == 3
    config = (seeded.out / "runs" / frame.run[2] / "config.toml").read_text()
    assert "run.seed = 7" in config
    more = swept(seeded, **{"run.seed": 6, "sweep.repeats": 2})
    assert list(more.run) == list(frame.run[1:])
    assert len(seeded.events("start")) == 3, "the same seeds are the same runs"


def test_an_invalid_point_has_a_row_for_each_repeat_and_no_seed(seeded):
    frame = swept(seeded, **{"machine.processors": [65, 1], "sweep.repeats": 2})
    assert list(frame.status) == ["user-error"] * 2 + ["finished"] * 2
    assert frame.seed.isna().tolist() == [True, True, False, False]
    assert list(frame.seed[2:]) == [5, 6]


BINARY = os.environ.get("SYMSIM_BINARY", "")


@pytest.mark.skipif(not BINARY, reason="SYMSIM_BINARY names no simulator")
def test_repeats_out_of_range_and_repeats_of_swept_seeds_are_refused(tmp_path: Path):
    config = tmp_path / "a.toml"
    for value, fits in [("0", False), (str(MOST_REPEATS), True), (str(MOST_REPEATS + 1), False)]:
        config.write_text(f"[sweep]\nrepeats = {value}\n")
        if fits:
            assert number_of_points(Order(config, simulator=BINARY)) == int(value)
            continue
        with pytest.raises(UserError, match=f"a.toml:2: sweep.repeats: {value} does not fit"):
            sweep(config, out=tmp_path)
    config.write_text('[sweep]\nrepeats = 2\n"run.seed" = [1, 2]\n')
    with pytest.raises(UserError, match=r"a.toml:2: sweep\.repeats: the seeds are swept too"):
        sweep(config, out=tmp_path)
    config.write_text("[sweep]\nrepeats = 2\n[run]\nseed = 4294967295\n")
    frame = sweep(config, out=tmp_path / "out", simulator=BINARY)
    assert list(frame.status) == ["user-error"] * 2, "no guest; and no seed after the last"


def test_the_plain_figure_shows_the_mean_and_the_spread_of_the_seeds():
    rows = [(1, "read", seed, y) for seed, y in [(1, 10.0), (2, 90.0), (3, 20.0)]]
    rows += [(2, "read", 1, 5.0), (1, "clh", 1, 7.0)]
    runs = pd.DataFrame(rows, columns=["processors", "lock", "seed", "elapsed_us"])
    runs["status"] = "finished"
    data = series(runs, guessed(runs, ["seed", "processors", "lock"]))
    assert list(data.columns) == ["curve", "x", "y", "spread", "status", "x_name", "y_name"]
    assert data.drop(columns="status").values.tolist() == [
        ["clh", 1, 7, 0, "processors", "elapsed_us"],
        ["read", 1, 40, 40, "processors", "elapsed_us"],
        ["read", 2, 5, 0, "processors", "elapsed_us"],
    ]
    ax = Canvas().add_subplot()
    draw(ax, data)
    assert ax.get_ylabel() == "Elapsed time (us), mean and spread"
    (bars,) = ax.collections
    assert [segment.tolist() for segment in bars.get_segments()] == [[[1, 0], [1, 80]]]
    alone = series(runs[runs.processors == 2], guessed(runs, ["processors", "lock"]))
    ax = Canvas().add_subplot()
    draw(ax, alone)
    assert (ax.get_ylabel(), len(ax.collections)) == ("Elapsed time (us)", 0)


def test_seeds_alone_are_the_x_of_the_plain_figure():
    runs = pd.DataFrame({"seed": [1, 2], "elapsed_us": [3.0, 4.0], "status": "finished"})
    assert list(series(runs, guessed(runs, ["seed"])).x) == [1, 2]
