# SPDX-License-Identifier: MIT
"""MTH Fig. 3: latency of a load from the own cache, the own node's memory and another node's."""

import pandas as pd

from symlab.paper.claims import Claim, judges
from symlab.paper.figure import Figure, Verdict, finished
from symlab.plot.curves import Curves, Plot

WHERE = ("hit", "near", "far")  # own cache, own node, another node
RATIOS = {"near": 50.0, "far": 200.0}  # to a hit
TOLERANCE = 0.2
PAPERS_NODES = 4


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """Tidy data, sorted: where, nodes, load_ns."""
    columns = [f"{where}_ns" for where in WHERE]
    done = finished(runs, ["count", *columns])
    data = done.melt("count", columns, "where", "load_ns")
    data["where"] = data["where"].str.removesuffix("_ns")
    data = data.rename(columns={"count": "nodes"})
    return data[["where", "nodes", "load_ns"]].sort_values(["where", "nodes"], ignore_index=True)


draw = Plot(
    "load_ns", "Time of a load (ns)", "where", "nodes", "Nodes on the ring",
    axes={"yscale": "log", "ylim": (5, 5000)},
)  # fmt: skip


@judges("MTH-01", "near/hit within 20 % of 50, far/hit within 20 % of 200, on 4 nodes")
def mth_01(claim: Claim, data: pd.DataFrame) -> Verdict:
    load = Curves.of(data, "load_ns", "nodes", "where", "nodes")
    off = {
        where: abs(load[where, PAPERS_NODES] / load["hit", PAPERS_NODES] / ratio - 1)
        for where, ratio in RATIOS.items()
    }
    return claim.at_most(off, TOLERANCE, "deviation, {}")


FIGURE = Figure(series, draw, (mth_01,), tidy=True)
