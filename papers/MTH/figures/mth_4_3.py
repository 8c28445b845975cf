# SPDX-License-Identifier: MIT
"""MTH section 4.3: accesses of the pool for each access of a processor's own list, by limit M."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from symlab.plot.curves import Curves
from symlab.plot.figure import Figure, Verdict, finished
from symlab.plot.ticks import from_zero
from symlab_papers.claims import Claim, judges

LIMITS = (4, 8, 16, 32)


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """Tidy data, sorted: limit, traffic, bound.

    traffic: accesses of the pool for each of the list, from a processor's first access of the pool
    to its last. bound: 2/M.
    """
    done = finished(runs, ["pool_limit", "whole_lists", "list_accesses"]).copy()
    done["limit"] = done["pool_limit"].astype(int)
    done["traffic"] = done["whole_lists"] / done["list_accesses"]
    done["bound"] = 2 / done["limit"]
    return done[["limit", "traffic", "bound"]].sort_values("limit", ignore_index=True)


def draw(ax: Axes, data: pd.DataFrame) -> None:
    limits = np.linspace(2, max(LIMITS), 100)
    ax.plot(limits, 2 / limits, color="#000000", label="2/M")
    ax.plot(data["limit"], data["traffic"], "o", color="#D55E00", label="counted")
    ax.set_xlabel("Limit M of a processor's list")
    ax.set_ylabel("Pool accesses for each list access")
    from_zero(ax)
    ax.legend(frameon=False)


@judges("MTH-27", "pool accesses for each access of the list <= 2/M, M of 4, 8, 16, 32")
def mth_27(claim: Claim, data: pd.DataFrame) -> Verdict:
    traffic = Curves.of(data.assign(curve=""), "traffic", "limit", "curve", symbol="M")
    over = {f"M={m}": traffic.at("", LIMITS)[m] * m / 2 for m in LIMITS}
    return claim.at_most(over, 1.0, "over 2/M, {}")


FIGURE = Figure(series, draw, (mth_27,), tidy=True)
