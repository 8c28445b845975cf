# SPDX-License-Identifier: MIT
"""The time from a release until the bus is quiet, read from a made-up bus.csv."""

import numpy as np
import pandas as pd
import pytest
from symlab.runs.one_run import Run
from symlab_papers.measures.quiescence import measure


def run_of(tmp_path, spinning_until_us: float):
    """A run of one round with a release at 20 us, and a bus.csv of the following 10 us."""
    rows = []
    for start in np.arange(0, 40, 0.5):
        spins = 21 <= start < spinning_until_us
        released = start == 20.5
        rows.append(
            {
                "start_us": start,
                "end_us": start + 0.5,
                "busy_us": 0.3 * (spins or released),
                "transactions": 3 * released + 1 * spins,
                "share_activity_spin": 0.6 * spins,
                "share_kind_read": 0.6 * spins,
            }
        )
    pd.DataFrame(rows).to_csv(tmp_path / "bus.csv", index=False)
    summary = {
        "guest": {"results": {"rounds": 1}},
        "config": {"guest.args.round_us": 20, "guest.args.window_us": 10},
        "bus": {
            "transactions": {"read": 50},
            "busy_us_by_activity": {"spin": {"read": 12.0}, "user": {"read": 3.0}},
        },
    }
    return Run(tmp_path, summary)


def test_quiescence_is_measured_from_the_release_to_the_last_spinner_on_the_bus(tmp_path):
    found = measure(run_of(tmp_path, spinning_until_us=24))
    assert found == pytest.approx({"settle_us": 3.5, "release_transactions": 9, "release_reads": 6})


def test_spinners_that_never_settle_have_no_settling_time(tmp_path):
    found = measure(run_of(tmp_path, spinning_until_us=40))
    assert "settle_us" not in found
    assert found["release_transactions"] == 3 + 18
