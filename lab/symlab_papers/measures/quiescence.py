# SPDX-License-Identifier: MIT
"""Bus traffic after the release of a lock, from bus.csv of a run of guest/workloads/quiesce.c.

In round n = 1, 2, ... the guest releases the lock at R = n x round_us on the clock. From R to R +
window_us only the release, the waiters and the exchange of the next holder use the bus.
"""

import pandas as pd
from symlab.results.transactions import over_resources
from symlab.runs.one_run import Run

DEFAULTS_US = {"round_us": 5000, "window_us": 1500}  # the guest's defaults


def measure(run: Run) -> dict[str, float]:
    """Columns of the run: means over its releases.

    settle_us: time from the release until no spinner uses the bus any more; missing if spinners
    still use it at the end of a window. release_transactions, release_reads: number of all
    transactions and of read misses in the window. The resolution of times is observe.interval_us.
    """
    round_us, window_us = (
        float(run.config.get(f"guest.args.{name}", us)) for name, us in DEFAULTS_US.items()
    )
    reads = run["bus"]["transactions"]["read"]
    read_us = sum(kinds["read"] for kinds in run["bus"]["busy_us_by_activity"].values())
    rounds = range(1, int(run.results["rounds"]) + 1)
    bus = over_resources(run.bus, run.summary["bus"].get("resources", 1))
    columns = pd.DataFrame([_release(bus, round_us * n, window_us) for n in rounds])
    columns["release_reads"] = columns.pop("read_us") * (reads / read_us if reads else 0.0)
    means = columns.mean(skipna=False).to_dict()
    return {str(name): value for name, value in means.items() if pd.notna(value)}


def _release(bus: pd.DataFrame, release_us: float, window_us: float) -> dict[str, float | None]:
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
