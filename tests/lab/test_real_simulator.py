# SPDX-License-Identifier: MIT
"""Tiny sweeps with the simulator itself, if SYMSIM_BINARY names it (`make test` does)."""

import os
from pathlib import Path

import pandas as pd
import pytest
from symlab import grid, sweep
from symlab.figure import find_figure

ROOT = Path(__file__).resolve().parents[2]
BINARY = os.environ.get("SYMSIM_BINARY")
POINTS = {
    "machine.processors": [1, 2],
    "guest.args.lock": ["xchgb", "read"],
    "guest.args.increments": 200,
}

pytestmark = pytest.mark.skipif(not BINARY, reason="SYMSIM_BINARY names no simulator")


def test_a_real_sweep_has_sums_that_hold_is_kept_and_is_the_same_bytes_again(tmp_path):
    config = ROOT / "configs" / "figures" / "all-4.1.toml"
    first = sweep(config, tmp_path / "a", overrides=POINTS, simulator=BINARY)
    assert list(first.status) == ["finished"] * 4
    for column in ("elapsed_us", "increments", "bus_busy_us", "instructions"):
        assert (first[column] > 0).all(), column
    states = first.executing_us + first.waiting_us + first.served_us + first.halted_us
    for total, row in zip(states, first.itertuples(), strict=True):
        assert total == pytest.approx(row.processors * row.simulated_us, abs=0.01)
    assert ((first.bus_utilisation > 0) & (first.bus_utilisation <= 1)).all()

    stamps = {p: p.stat().st_mtime_ns for p in (tmp_path / "a" / "runs").glob("*/summary.json")}
    sweep(config, tmp_path / "a", overrides=POINTS, simulator=BINARY)
    assert {p: p.stat().st_mtime_ns for p in stamps} == stamps

    sweep(config, tmp_path / "b", jobs=1, overrides=POINTS, simulator=BINARY)
    for name in ("all-4.1.csv", "all-4.1.svg", "all-4.1.png", "all-4.1-claims.json"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


# Of each config of configs/figures, what makes its runs short.
SMALL = {
    "all-3.1": {"guest.args.threads": [100, 200]},
    "all-3.1-compiler": {"guest.args.threads": [100, 200], "machine.processors": [1, 4]},
    "all-3.2": {"guest.args.threads": 200, "machine.processors": [1, 4]},
    "all-3.3": {"guest.args.threads": 200, "machine.processors": [1, 4]},
    "all-3.4": {"guest.args.runnable": [2, 20], "guest.args.events": [100, 120]},
    "all-3.4-idle": {"guest.args.rest_us": [10000, 20000]},
    "all-3.4-null": {
        "guest.args.runnable": 30,
        "guest.args.events": [100, 120],
        "guest.args.threads": 200,
    },
    "all-3.4-queues": {"guest.args.runnable": [5, 7], "guest.args.events": [100, 120]},
    "all-3.4-stamps": {"guest.args.runnable": 9, "guest.args.events": [100, 120]},
    "all-3.5": {"guest.args.runnable": [17, 20], "guest.args.rounds": 20},
    "all-3.5-scans": {"guest.args.threads": 2, "guest.args.rounds": 20},
    "all-3.5-unlocked": {"guest.args.us": 20000},
    "all-4.1-exchange": {"guest.args.rounds": 10},
    "all-4.2": {"guest.args.increments": 50, "guest.args.work": [0, 3]},
    "all-4.3": {"guest.args.rounds": 2, "machine.processors": [1, 4]},
    "all-4.6": {"guest.args.increments": 200, "machine.processors": [4]},
    "all-4.4": {"guest.args.creates": [10, 20], "machine.processors": [4]},
    "all-4.5": {"guest.args.threads": 200, "guest.args.rounds": 2, "machine.processors": [1, 4]},
    "all-5.1-demand": {"guest.args.sections": 50, "machine.processors": [5, 8]},
    "all-fairness": {"guest.args.turns": 10, "machine.processors": [8], "run.seed": 1},
    "all-quiescence": {"guest.args.rounds": 1, "machine.processors": [2, 4]},
    "all-table-4.1": {"guest.args.increments": 50, "machine.processors": [4, 5]},
}


@pytest.mark.parametrize("name", SMALL)
def test_every_run_of_a_figure_ends_well_and_becomes_data(tmp_path, name):
    config = ROOT / "configs" / "figures" / f"{name}.toml"
    runs = sweep(config, tmp_path, overrides=SMALL[name], simulator=BINARY)
    assert set(runs["status"]) == {"finished"}
    figure = find_figure(grid.load(config).figure or "", [])
    assert figure.id == name
    assert figure.config == str(config.relative_to(ROOT))
    data = figure.series(pd.read_csv(tmp_path / f"{name}{'-runs' * figure.tidy}.csv"))
    assert len(data) > 0
    assert {verdict.state for verdict in figure.judge(runs)} <= {"holds", "fails", "not run"}
