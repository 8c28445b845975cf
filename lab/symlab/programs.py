# SPDX-License-Identifier: MIT
"""Speedup of thread programs by strategy and number of processors.

Speedup is relative to one processor with the strategy that is fastest there. So a strategy that is
slow with any number of processors does not look good.
"""

import pandas as pd
from matplotlib.axes import Axes

from symlab.curves import averaged, plot_curves
from symlab.figure import Figure, finished


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """Tidy data, sorted: columns strategy, processors, elapsed_us, spread_us, speedup.

    Speedup is NaN if there is no run on one processor.
    """
    done = finished(runs, ["processors", "strategy", "elapsed_us"])
    data = averaged(done, ["strategy", "processors"], "elapsed_us", "spread_us")
    base_us = data.loc[data["processors"] == 1, "elapsed_us"].min()
    return data.assign(speedup=base_us / data["elapsed_us"])


def draw(ax: Axes, data: pd.DataFrame) -> None:
    plot_curves(ax, data, "processors", "speedup", curve="strategy")
    ax.set_xlabel("Processors")
    ax.set_ylabel("Speedup over one processor")
    ax.set_xlim(left=0)


def program(name: str) -> Figure:
    """The figure of configs/figures/programs/<name>.toml."""
    config = f"configs/figures/programs/{name}.toml"
    return Figure(f"programs-{name}", config, (), series, draw, tidy=True)
