# SPDX-License-Identifier: MIT
"""Tiny sweeps with the simulator itself, if SYMSIM_BINARY names it (`make test` does)."""

import os
from pathlib import Path

import pytest
from symlab import sweep

ROOT = Path(__file__).resolve().parents[2]
BINARY = os.environ.get("SYMSIM_BINARY")
POINTS = {
    "machine.processors": [1, 2],
    "guest.args.lock": ["xchgb", "read"],
    "guest.args.increments": 200,
}

pytestmark = pytest.mark.skipif(not BINARY, reason="SYMSIM_BINARY names no simulator")


def test_a_real_sweep_has_sums_that_hold_is_kept_and_is_the_same_bytes_again(tmp_path):
    config = ROOT / "configs" / "figures" / "ALL" / "figure-4.1.toml"
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
    for name in [f"figure-4.1{end}" for end in (".csv", ".svg", ".png", "-claims.json")]:
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()
