# SPDX-License-Identifier: MIT
"""URPC Fig. 3 on a Sequent Symmetry, Model A (solid) and Model B (dashed)."""

import pandas as pd
from matplotlib.axes import Axes

from symlab.paper.figure import Figure
from symlab.paper.measures.calls import PAIRS, calls
from symlab.plot.curves import chosen

LINES = {"write-through": "-", "write-back": "--"}


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """Tidy data, sorted: protocol, pair, threads, latency_us, spread_us, calls_per_s."""
    return calls(runs, "latency_us", "spread_us", ["calls_per_s"], ["protocol"])


def draw(ax: Axes, data: pd.DataFrame) -> None:
    for protocol, line in LINES.items():
        for i, pair in enumerate(PAIRS):
            rows = chosen(data, protocol=protocol, pair=pair)
            label = pair if line == "-" else None
            ax.plot(rows["threads"], rows["latency_us"], line, color=f"C{i}", label=label)
    ax.set_xlabel("Threads that call")
    ax.set_ylabel("Latency (us)")
    ax.set_ylim(bottom=0)


FIGURE = Figure(series, draw, tidy=True)
