# SPDX-License-Identifier: MIT
"""WKS Fig. 4: time of the synthetic program by multiprogramming level on a 7-processor SGI Iris.

R. W. Wisniewski, L. I. Kontothanassis, M. L. Scott, "Scalable Spin Locks for Multiprogrammed
Systems", TR 454, University of Rochester, 1993. D_x(m): time with lock x and m processes a
processor. Here it is the time of a turn.
"""

from dataclasses import replace
from functools import partial

import pandas as pd
from matplotlib.axes import Axes
from symlab.plot.curves import Curves
from symlab.plot.figure import Figure
from symlab_papers.expressions import claims
from symlab_papers.measures.processes import (
    NAMES,
    THOUSANDTHS,
    of_variant,
    turn_curves,
    turn_plot,
    turns,
)

LEVELS = (1000, 1200, 1400, 1600, 1800, 2000)  # m in thousandths
CONFIGURED = ("workers", "background", "section_ns", "outside_ns")


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """Tidy data, sorted: VARIANTS, lock, multiprogramming (m in thousandths), turn_us,
    spread_us, workers, background (processes), section_ns, outside_ns (alone, without lock)."""
    return turns(runs, "multiprogramming", others=CONFIGURED)


def draw(ax: Axes, data: pd.DataFrame) -> None:
    shown = of_variant(data)
    PLOT(ax, shown.assign(m=shown["multiprogramming"] / THOUSANDTHS))


PLOT = turn_plot("m", "Processes a processor")


def times(data: pd.DataFrame) -> Curves:
    """The time of a turn by lock and 1000 m."""
    return turn_curves(data, "multiprogramming", "1000 m")


def configured(data: pd.DataFrame, name: str) -> Curves:
    """What each run was given, of CONFIGURED."""
    return Curves.of(of_variant(data), name, "multiprogramming")


CLAIMS = claims(
    "wks-4", D=times, M=LEVELS, NAMES=NAMES, W=partial(configured, name="workers"),
    S=partial(configured, name="section_ns"), O=partial(configured, name="outside_ns"),
    N=partial(configured, name="background"),
)  # fmt: skip
FIGURE = Figure(series, draw, CLAIMS, tidy=True)
CAPTIONS = {
    "later": "Locks that came after the paper, by multiprogramming level.",
    "cas": "Queue locks with compare-and-swap in software and in hardware, by level.",
}
FIGURES = {name: replace(FIGURE, claims=(), caption=text) for name, text in CAPTIONS.items()}
