# SPDX-License-Identifier: MIT
"""MTH Fig. 3: latency of a load from the own cache, the own node's memory and another node's."""

import pandas as pd
from symlab.errors import NotRun
from symlab.plot.curves import Curves, Plot
from symlab.plot.figure import Figure, Verdict, finished
from symlab.runs.one_run import Run
from symlab_papers.claims import Claim, judges

WHERE = ("hit", "near", "far")  # own cache, own node, another node
RATIOS = {"near": 50.0, "far": 200.0}  # to a hit
TOLERANCE = 0.2
PAPERS_NODES = 4
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


@judges("MTH-01", "near/hit within 20 % of 50, far/hit within 20 % of 200, on 4 nodes")
def mth_01(claim: Claim, data: pd.DataFrame) -> Verdict:
    load = Curves.of(data, "load_ns", "nodes", "where", "nodes")
    off = {
        where: abs(load[where, PAPERS_NODES] / load["hit", PAPERS_NODES] / ratio - 1)
        for where, ratio in RATIOS.items()
    }
    return claim.at_most(off, TOLERANCE, "deviation, {}")


@judges(
    "MTH-02",
    "by the config of a run: 16 nodes of 8 processors, caches of 1 MB, rings of 600 MB/s",
)
def mth_02(claim: Claim, data: pd.DataFrame) -> Verdict:
    rows = data[data["nodes"] == LARGEST["nodes"]]
    if rows.empty:
        raise NotRun("16 nodes")
    off = {name: abs(float(rows.iloc[0][name]) - value) for name, value in LARGEST.items()}
    return claim.at_most(off, 0, "distance, {}")


FIGURE = Figure(series, draw, (mth_01, mth_02), measure=measure, tidy=True)
