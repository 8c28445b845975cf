# SPDX-License-Identifier: MIT
"""What the figures of URPC share: runs of guest/workloads/urpc/load.c by pair and threads.

A pair is the number C of client and S of server processors; T threads call. Latency is the mean
time of a call in one thread, throughput the number of calls a second of all threads.
"""

import pandas as pd
from symlab.plot.figure import finished
from symlab.runs.one_run import Run

NS_PER_US = 1000
US_PER_S = 1_000_000
PAIRS = ("C=1, S=0", "C=1, S=1", "C=1, S=2", "C=2, S=2")


def pairs(runs: pd.DataFrame, columns: list[str]) -> pd.DataFrame:
    """The finished runs with their pair."""
    own = ["processors_client", "processors_server"]
    done = finished(runs, [*own, *(name for name in columns if name != "pair")])
    client, server = done["processors_client"], done["processors_server"]
    return done.assign(pair="C=" + client.astype(str) + ", S=" + server.astype(str))


def measure(run: Run) -> dict[str, float]:
    """Columns of the run: idle_least and idle_most, the shares of time that its processors idle."""
    shares = [
        processor["activities_us"]["idle"] / run["simulated_us"] for processor in run["processors"]
    ]
    return {"idle_least": min(shares), "idle_most": max(shares)}
