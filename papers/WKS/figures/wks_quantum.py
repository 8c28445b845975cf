# SPDX-License-Identifier: MIT
"""WKS section 4.2: time of the synthetic program by length of the quantum, on the SGI Iris."""

import pandas as pd
from matplotlib.axes import Axes
from symlab.plot.figure import Figure
from symlab_papers.measures.processes import of_variant, turn_plot, turns


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """Tidy data, sorted: VARIANTS, lock, quantum_us, turn_us, spread_us."""
    return turns(runs, "quantum_us")


def draw(ax: Axes, data: pd.DataFrame) -> None:
    turn_plot("quantum_us", "Quantum (us)")(ax, of_variant(data))


FIGURE = Figure(series, draw, tidy=True)
