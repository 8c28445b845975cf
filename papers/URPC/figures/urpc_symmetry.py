# SPDX-License-Identifier: MIT
"""URPC Fig. 3 on a Sequent Symmetry, Model A (solid) and Model B (dashed)."""

import pandas as pd
from matplotlib.axes import Axes
from symlab.plot.figure import Figure
from symlab.plot.models import draw_models
from symlab_papers.measures.calls import PAIRS, calls


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """Tidy data, sorted: protocol, pair, threads, latency_us, spread_us, calls_per_s."""
    return calls(runs, "latency_us", "spread_us", ["calls_per_s"], ["protocol"])


def draw(ax: Axes, data: pd.DataFrame) -> None:
    draw_models(ax, data, "threads", "latency_us", "pair", {pair: pair for pair in PAIRS})
    ax.set_xlabel("Threads that call")
    ax.set_ylabel("Latency (us)")


FIGURE = Figure(series, draw, tidy=True)
