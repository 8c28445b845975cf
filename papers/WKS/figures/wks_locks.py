# SPDX-License-Identifier: MIT
"""Each lock when it is free, when 7 workers want it, and when others share their processors."""

from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from symlab.plot.figure import Figure
from symlab.plot.legend import add_legend
from symlab.plot.ticks import log_axis
from symlab_papers.measures.processes import LEAST_US, of_variant, turns

CASES = {
    (1, 1000): "one worker",
    (7, 1000): "7 workers, each with a processor of its own",
    (7, 2000): "7 workers, two processes a processor",
}  # (workers, m in thousandths)


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """Tidy data, sorted: VARIANTS, lock, workers, multiprogramming (m in thousandths), turn_us,
    spread_us, longest_wait_us (of all waits for the lock)."""
    named = runs.rename(columns={"lock_max_wait_us": "longest_wait_us"})
    return turns(named, "workers", "multiprogramming", others=["longest_wait_us"])


def draw(ax: Axes, data: pd.DataFrame) -> None:
    keys = ["workers", "multiprogramming", "lock"]
    shown: Any = of_variant(data).set_index(keys)["turn_us"].sort_index()
    height = 0.8 / len(CASES)
    for number, (case, label) in enumerate(CASES.items()):
        if case not in shown.index.droplevel("lock"):
            continue
        bars = shown[case]
        places = [i + (number - 1) * height for i in range(len(bars))]
        ax.barh(places, bars.to_numpy(), height, label=label)
        ax.set_yticks(range(len(bars)), bars.index)
    ax.invert_yaxis()
    ax.set_xlabel("Time of a turn (us)")
    log_axis(ax, "x", shown)
    ax.set_xlim(left=LEAST_US)
    add_legend(ax)


FIGURE = Figure(series, draw, tidy=True)
