# SPDX-License-Identifier: MIT
"""ALL Fig. 3.4 at a few points, timed by probes and by clock reads in the program.

It shows the columns stamps_cost_us and stamps_more_us of `latency.costs`. No claim is judged here.
"""

import pandas as pd
from matplotlib.axes import Axes

from symlab.curves import plot_curves
from symlab.figure import Figure
from symlab.latency import costs, measure


def series(runs: pd.DataFrame) -> pd.DataFrame:
    return costs(runs)


def draw(ax: Axes, data: pd.DataFrame) -> None:
    plot_curves(ax, data, "runnable", "stamps_more_us", curve="strategy")
    ax.set_xlabel("Runnable threads")
    ax.set_ylabel("Cost by clock reads - cost by probes (µs)")


FIGURE = Figure(
    id="all-3.4-stamps",
    config="configs/figures/ALL/figure-3.4-stamps.toml",
    claims=(),
    series=series,
    draw=draw,
    measure=measure,
    tidy=True,
    quick={"guest.args.runnable": 9, "guest.args.events": [100, 120]},
)
