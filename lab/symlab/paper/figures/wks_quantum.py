# SPDX-License-Identifier: MIT
"""WKS section 4.2: time of the synthetic program by length of the quantum, on the SGI Iris."""

import pandas as pd
from matplotlib.axes import Axes

from symlab.paper.figure import Figure
from symlab.paper.measures.processes import draw_turns, turns
from symlab.plot.curves import Plot


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """Tidy data, sorted: VARIANTS, lock, quantum_us, turn_us, spread_us."""
    return turns(runs, "quantum_us")


PLOT = Plot("turn_us", "Time of a turn (us)", x="quantum_us", x_label="Quantum (us)")


def draw(ax: Axes, data: pd.DataFrame) -> None:
    draw_turns(ax, data, PLOT)


FIGURE = Figure(series, draw, tidy=True)
