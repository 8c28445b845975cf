# SPDX-License-Identifier: MIT
"""ALL Fig. 3.4 at a few points, timed by probes and by clock reads in the program.

It shows the columns stamps_cost_us and stamps_more_us of `latency.costs`. No claim is judged here.
"""

import pandas as pd
from matplotlib.axes import Axes

from symlab.paper.figure import Figure
from symlab.paper.measures.latency import costs, measure
from symlab.plot.curves import plot_curves


def series(runs: pd.DataFrame) -> pd.DataFrame:
    return costs(runs)


def draw(ax: Axes, data: pd.DataFrame) -> None:
    plot_curves(
        ax,
        data,
        "runnable",
        "stamps_more_us",
        ("Runnable threads", "Cost by clock reads - cost by probes (µs)"),
        curve="strategy",
    )


FIGURE = Figure(
    series=series,
    draw=draw,
    measure=measure,
    tidy=True,
)
