# SPDX-License-Identifier: MIT
"""MTH Fig. 3: latency of a load from the own cache, the own node's memory and another node's."""

from functools import partial

import pandas as pd
from symlab.errors import NotRun
from symlab.plot.curves import Curves, Plot
from symlab.plot.figure import Figure, Verdict, finished
from symlab.runs.one_run import Run
from symlab_papers.claims import Claim, judges
from symlab_papers.expressions import claims

WHERE = ("hit", "near", "far")  # own cache, own node, another node
RATIOS = {"near": 50.0, "far": 200.0}  # to a hit
# MTH section 2.1: up to 16 nodes of 4 blocks of 2 processors, caches of 1 MB, rings of 600 MB/s.
LARGEST = {"nodes": 16.0, "node_processors": 8.0, "cache_mb": 1.0, "ring_mb_per_s": 600.0}


def measure(run: Run) -> dict[str, float]:
    """What the run's config says of the machine: node_processors, cache_mb, ring_mb_per_s."""
    of = run.config
    ring = float(of["nodes.ring_bytes_per_cycle"]) * float(of["bus.clock_mhz"])
    return {
        "node_processors": float(of["nodes.node_processors"]),
        "cache_mb": float(of["cache.size_bytes"]) / 2**20,
        "ring_mb_per_s": ring,
    }


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """Tidy data, sorted: where, nodes, load_ns, and the columns of `measure`."""
    columns = [f"{where}_ns" for where in WHERE]
    machine = [name for name in LARGEST if name != "nodes"]
    done = finished(runs, ["count", *columns, *machine])
    data = done.melt(["count", *machine], columns, "where", "load_ns")
    data["where"] = data["where"].str.removesuffix("_ns")
    data = data.rename(columns={"count": "nodes"})
    wanted = ["where", "nodes", "load_ns", *machine]
    return data[wanted].sort_values(["where", "nodes"], ignore_index=True)


draw = Plot(
    "load_ns", "Time of a load (ns)", "where", "nodes", "Nodes on the ring",
    log="y", axes={"ylim": (5, 5000)},
)  # fmt: skip


@judges("MTH-02")
def mth_02(claim: Claim, data: pd.DataFrame) -> Verdict:
    rows = data[data["nodes"] == LARGEST["nodes"]]
    if rows.empty:
        raise NotRun("16 nodes")
    off = {name: abs(float(rows.iloc[0][name]) - value) for name, value in LARGEST.items()}
    return claim.at_most(off, 0, "distance, {}")


LOADS = partial(Curves.of, y="load_ns", x="nodes", curve="where", symbol="nodes")
CLAIMS = claims("mth-3", mth_02, N=LOADS, RATIOS=RATIOS)
FIGURE = Figure(series, draw, CLAIMS, measure=measure, tidy=True)
