# SPDX-License-Identifier: MIT
"""WKS section 3: of the waiters, those who had come before the one served, on the SGI Iris."""

import pandas as pd
from matplotlib.axes import Axes
from symlab.plot.curves import Curves, Plot
from symlab.plot.figure import Figure
from symlab.plot.repeats import averaged
from symlab_papers.expressions import claims
from symlab_papers.measures.processes import (
    THOUSANDTHS,
    keys_of,
    named,
    of_variant,
)


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """Tidy data, sorted: VARIANTS, lock, multiprogramming (m in thousandths), earlier_share,
    spread.

    earlier_share: 0 if a lock serves in order of arrival, 1/2 if it serves at random.
    """
    done = named(runs, ["multiprogramming", "waiting", "earlier"])
    done["earlier_share"] = done["earlier"] / done["waiting"]
    return averaged(done, keys_of(runs, "lock", "multiprogramming"), "earlier_share", "spread")


PLOT = Plot(
    "earlier_share", "Share of waiters older than the one served", x="m",
    x_label="Processes a processor",
)  # fmt: skip


def draw(ax: Axes, data: pd.DataFrame) -> None:
    shown = of_variant(data)
    PLOT(ax, shown.assign(m=shown["multiprogramming"] / THOUSANDTHS))


def _earlier(data: pd.DataFrame) -> Curves:
    return Curves.of(of_variant(data), "earlier_share", "multiprogramming", symbol="1000 m")


FIGURE = Figure(series, draw, claims("wks-order", E=_earlier), tidy=True)
