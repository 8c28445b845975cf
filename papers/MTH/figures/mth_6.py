# SPDX-License-Identifier: MIT
"""MTH Figs. 6 and 7: hyperbolic and exponential priorities of two threads that have stopped.

Thread i ran for 64 units of time, then thread j for 16. The curves are Equations 1 and 3; the mark
is where the guest's own model (guest/threads/affinity/hyperbolic.h) changes the order.
"""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from symlab.errors import NotRun
from symlab.plot.figure import Figure, Verdict, finished
from symlab_papers.affinity.equations import (
    Period,
    crossing,
    exponential,
    exponential_before,
    hyperbolic,
)
from symlab_papers.claims import Claim, judges

FIRST, SECOND = Period(0, 64), Period(64, 80)
K, A = 2.0, 0.25
END = 200  # of the paper's figures and of the guest's look
CROSSING, TOLERANCE = 85.33, 0.01
GUEST = 0.1  # units; the guest looks every few microseconds, and a unit is a thousand of them
AT_J = (4.0, 16.0)  # exponential priorities when j stops
HYPERBOLIC, EXPONENTIAL = "hyperbolic", "exponential"


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """Tidy data, sorted: affinity, turns, crossing, equation. turns: how often the guest's order
    changes. crossing: in units of time, when the guest first takes thread i for the higher; NaN if
    never. equation: Equation 2; NaN for exponential ageing."""
    done = finished(runs, ["affinity", "unit_us", "crossing_us", "turns"]).copy()
    units = done["crossing_us"] / done["unit_us"]
    done["crossing"] = units.where(done["turns"] > 0)
    is_hyperbolic = done["affinity"] == HYPERBOLIC
    done["equation"] = np.where(is_hyperbolic, crossing(FIRST, SECOND), np.nan)
    columns = ["affinity", "turns", "crossing", "equation"]
    return done[columns].sort_values("affinity", ignore_index=True)


def draw(ax: Axes, data: pd.DataFrame) -> None:
    late = {
        FIRST: np.linspace(FIRST.stop + 1, END, 500),
        SECOND: np.linspace(SECOND.stop + 1, END, 500),
    }
    for period, name, line in ((FIRST, "i", "-"), (SECOND, "j", "--")):
        t = late[period]
        ax.plot(t, hyperbolic(period, t), line, color="#0072B2", label=f"hyperbolic, thread {name}")
        aged = exponential(period, t, K, A)
        ax.plot(t, aged, line, color="#D55E00", label=f"exponential, thread {name}")
    for at in data["crossing"].dropna():
        label = "the guest's order changes"
        ax.plot(at, hyperbolic(FIRST, at), "o", color="#000000", label=label)
    ax.set(xlabel="Time (units)", ylabel="Priority", yscale="log", ylim=(1e-3, 100))
    ax.legend(frameon=False, fontsize="small")


@judges("MTH-23")
def mth_23(claim: Claim, data: pd.DataFrame) -> Verdict:
    found = _guest(data, HYPERBOLIC)
    times = {"Equation 2": abs(found["equation"] - CROSSING)}
    if found["turns"] != 1:
        return claim.judged(False, found["turns"], 1, None, "changes of the guest's order")
    off = {"the guest": abs(found["crossing"] - CROSSING)}
    return claim.all_of(
        claim.at_most(times, TOLERANCE, f"distance from {CROSSING}, {{}}"),
        claim.at_most(off, GUEST, f"distance from {CROSSING}, {{}}"),
    )


@judges("MTH-24")
def mth_24(claim: Claim, data: pd.DataFrame) -> Verdict:
    turns = _guest(data, EXPONENTIAL)["turns"]
    at = np.arange(SECOND.stop, END + 1)
    ratios = exponential(FIRST, at, K, A) / exponential(SECOND, at, K, A)
    expected = AT_J[0] / AT_J[1]
    if not exponential_before(FIRST, SECOND, K, A):
        return claim.judged(False, None, None, None, "Equation 4 gives the other order")
    each = zip(at, ratios, strict=True)
    return claim.all_of(
        claim.at_most(
            {f"t={t:g}": abs(float(r) - expected) for t, r in each}, 1e-9,
            f"distance of the ratio from {expected:g}, {{}}",
        ),
        claim.at_most({"": float(turns)}, 0, "changes of the guest's order"),
    )  # fmt: skip


def _guest(data: pd.DataFrame, affinity: str) -> pd.Series:
    rows = data[data["affinity"] == affinity]
    if rows.empty:
        raise NotRun(affinity)
    return rows.iloc[0]


FIGURE = Figure(series, draw, (mth_23, mth_24), tidy=True)
