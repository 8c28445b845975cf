# SPDX-License-Identifier: MIT
"""MTH section 4.3: accesses of the pool for each access of a processor's own list, by limit M."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from symlab.plot.curves import Curves
from symlab.plot.figure import Figure, finished
from symlab.plot.ticks import from_zero
from symlab_papers.expressions import claims


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """Tidy data, sorted: limit, traffic, bound. traffic: accesses of the pool for each of the list,
    from a processor's first access of the pool to its last. bound: 2/M."""
    done = finished(runs, ["pool_limit", "whole_lists", "list_accesses"]).copy()
    done["limit"] = done["pool_limit"].astype(int)
    done["traffic"] = done["whole_lists"] / done["list_accesses"]
    done["bound"] = 2 / done["limit"]
    return done[["limit", "traffic", "bound"]].sort_values("limit", ignore_index=True)


def draw(ax: Axes, data: pd.DataFrame) -> None:
    limits = np.linspace(2, 32, 100)
    ax.plot(limits, 2 / limits, color="#000000", label="2/M")
    ax.plot(data["limit"], data["traffic"], "o", color="#D55E00", label="counted")
    ax.set_xlabel("Limit M of a processor's list")
    ax.set_ylabel("Pool accesses for each list access")
    from_zero(ax)
    ax.legend(frameon=False)


def _traffic(data: pd.DataFrame) -> Curves:
    return Curves.of(data.assign(curve=""), "traffic", "limit", "curve", symbol="M")


FIGURE = Figure(series, draw, claims("mth-4.3", T=_traffic), tidy=True)
