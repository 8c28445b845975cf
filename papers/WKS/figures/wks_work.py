# SPDX-License-Identifier: MIT
"""WKS section 4.2: time of the synthetic program on 31 processors of a KSR1, by work and level."""

import pandas as pd
from matplotlib.axes import Axes
from symlab.plot.figure import Figure
from symlab_papers.measures.processes import of_variant, turn_plot, turns


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """Tidy data, sorted: VARIANTS, lock, outside_us, multiprogramming (m in thousandths), turn_us,
    spread_us.
    """
    return turns(runs, "outside_us", "multiprogramming")


def draw(ax: Axes, data: pd.DataFrame) -> None:
    """m = 1, where contention is highest."""
    shown = of_variant(data)
    turn_plot("outside_us", "Work between two sections (us), m = 1")(
        ax, shown[shown["multiprogramming"] == shown["multiprogramming"].min()]
    )


FIGURE = Figure(series, draw, tidy=True)
