# SPDX-License-Identifier: MIT
"""WKS Fig. 6: time of the synthetic program by number of processors, at two processes a processor.

D_x(P): time of a turn with lock x and P workers on the SGI Iris. Ideally it does not depend on P.
"""

import pandas as pd
from matplotlib.axes import Axes
from symlab.plot.curves import Curves
from symlab.plot.figure import Figure
from symlab_papers.expressions import claims
from symlab_papers.measures.processes import (
    of_variant,
    turn_curves,
    turn_plot,
    turns,
)


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """Tidy data, sorted: VARIANTS, lock, workers, turn_us, spread_us."""
    return turns(runs, "workers")


def draw(ax: Axes, data: pd.DataFrame) -> None:
    turn_plot("workers")(ax, of_variant(data))


def times(data: pd.DataFrame) -> Curves:
    """The time of a turn by lock and number of processors."""
    return turn_curves(data, "workers")


FIGURE = Figure(series, draw, claims("wks-6", D=times), tidy=True)
