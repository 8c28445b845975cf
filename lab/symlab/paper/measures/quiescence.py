# SPDX-License-Identifier: MIT
"""Bus traffic after the release of a lock, from bus.csv of a run of guest/workloads/quiesce.c.

In round n = 1, 2, ... the guest releases the lock at R = n x round_us on the clock. From R to R +
window_us only the release, the waiters and the exchange of the next holder use the bus.
"""

from pathlib import Path

import pandas as pd

from symlab.runs.simulator import read_json

DEFAULTS_US = {"round_us": 5000, "window_us": 1500}  # the guest's defaults


def measure(folder: Path) -> dict[str, float]:
    """Columns of the run in `folder`: means over its releases.

    settle_us: time from the release until no spinner uses the bus any more; missing if spinners
    still use it at the end of a window. release_transactions, release_reads: number of all
    transactions and of read misses in the window. The resolution of times is observe.interval_us.
    """
    summary = read_json(folder / "summary.json") or {}
    results, config = summary["guest"]["results"], summary["config"]
    round_us, window_us = (
        float(config.get(f"guest.args.{name}", default)) for name, default in DEFAULTS_US.items()
    )
    bus = pd.read_csv(folder / "bus.csv")
    reads = summary["bus"]["transactions"]["read"]
    read_us = sum(kinds["read"] for kinds in summary["bus"]["busy_us_by_activity"].values())
    releases = [
        _release(bus, round_us * (number + 1), window_us) for number in range(results["rounds"])
    ]
    columns = pd.DataFrame(releases)
    columns["release_reads"] = columns.pop("read_us") * (reads / read_us if reads else 0.0)
    means = columns.mean(skipna=False).to_dict()
    return {name: value for name, value in means.items() if pd.notna(value)}


def _release(bus: pd.DataFrame, release_us: float, window_us: float) -> dict[str, float]:
    inside = (bus["end_us"] > release_us) & (bus["end_us"] <= release_us + window_us)
    window = bus[inside]
    held = window[window["busy_us"] > 0]
    spinning = window[window["share_activity_spin"] > 0]
    quiet = len(spinning) > 0 and spinning.index[-1] != window.index[-1]
    length_us = window["end_us"] - window["start_us"]
    return {
        "settle_us": spinning["end_us"].iloc[-1] - held["start_us"].iloc[0] if quiet else None,
        "release_transactions": float(window["transactions"].sum()),
        "read_us": float((window["share_kind_read"] * length_us).sum()),
    }
