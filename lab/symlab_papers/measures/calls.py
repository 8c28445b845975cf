# SPDX-License-Identifier: MIT
"""What the figures of URPC share: runs of guest/workloads/urpc/load.c by pair and threads.

A pair is the number C of client and S of server processors; T threads call. Latency is the mean
time of a call in one thread, throughput the number of calls a second of all threads.
"""

from collections.abc import Sequence

import pandas as pd
from symlab.plot.curves import Curves
from symlab.plot.figure import finished
from symlab.plot.repeats import averaged
from symlab.runs.one_run import Run

NEAR = 0.1  # the tolerance of claims.md for a time that the paper prints
NS_PER_US = 1000
US_PER_S = 1_000_000
PAIRS = ("C=1, S=0", "C=1, S=1", "C=1, S=2", "C=2, S=2")
DONATED, PAIRED, TWO_SERVERS, DOUBLE = PAIRS
PROCESSORS = {pair: int(pair[2]) + int(pair[-1]) for pair in PAIRS}  # C + S
THREADS = range(1, 11)


def calls(
    runs: pd.DataFrame,
    y: str,
    spread: str,
    others: Sequence[str] = (),
    variants: Sequence[str] = (),
) -> pd.DataFrame:
    """Tidy data, sorted: `variants`, pair, threads, `y` with its spread, `others`.

    `y` is one of latency_us, a time, and calls_per_s, a rate. `variants`: columns of the sweep.
    """
    columns = ["processors_client", "processors_server", "threads", "calls", "call_ns"]
    done = finished(runs, [*columns, "elapsed_us"]).copy()
    client, server = done["processors_client"], done["processors_server"]
    done["pair"] = "C=" + client.astype(str) + ", S=" + server.astype(str)
    done["latency_us"] = done["call_ns"] / NS_PER_US
    done["calls_per_s"] = done["threads"] * done["calls"] / done["elapsed_us"] * US_PER_S
    return averaged(done, [*variants, "pair", "threads"], y, spread, others)


def curves(data: pd.DataFrame, y: str) -> Curves:
    return Curves.of(data, y, "threads", "pair", "T")


def measure(run: Run) -> dict[str, float]:
    """Columns of the run: idle_least and idle_most, the shares of time that its processors idle."""
    shares = [
        processor["activities_us"]["idle"] / run["simulated_us"] for processor in run["processors"]
    ]
    return {"idle_least": min(shares), "idle_most": max(shares)}
