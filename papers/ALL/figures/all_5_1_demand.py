# SPDX-License-Identifier: MIT
"""ALL section 5.1: bus demand of spinning, from the slowdown of processors that do not spin.

Some processors run private copies of the counter's section. The others share one copy, and all but
one of them spin. slowdown = (time of a private section / its time without a spinner) - 1. Times are
means over the private processors.
"""

from dataclasses import astuple

import numpy as np
import pandas as pd
from symlab.plot.curves import Curves, Plot
from symlab.plot.figure import Figure, Verdict, finished
from symlab.plot.ranged import Ranged
from symlab.plot.repeats import averaged
from symlab_papers.claims import Claim, judges
from symlab_papers.measures.fits import curvature, curvature_spread, line_fit

LOCKS = ("backoff", "xchgb", "read")
SPINNERS = range(16)  # of 20 processors, 4 have private copies, and one sharer does not spin


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """One row per lock and number of spinners, sorted: spinners, lock, slowdown, spread."""
    columns = ["lock", "spinners", "elapsed_us", "private", "private_sections"]
    done = finished(runs, columns).copy()
    done["section_us"] = done["elapsed_us"] * done["private"] / done["private_sections"]
    alone = done[done["spinners"] == 0].groupby("lock")["section_us"].mean().rename("alone_us")
    done = done.merge(alone.reset_index(), on="lock")
    done["slowdown"] = done["section_us"] / done["alone_us"] - 1
    return averaged(done, ["lock", "spinners"], "slowdown", "spread")


draw = Plot(
    "slowdown", "Slowdown of private critical sections", x="spinners", x_label="Spinning processors"
)


@judges("ALL-70")
def all_70(claim: Claim, data: pd.DataFrame) -> Verdict:
    slowdown = draw.curves(data, "spinners").require(LOCKS, SPINNERS)
    x = np.array(SPINNERS, dtype=float)
    y = {lock: np.array([slowdown[lock, q] for q in SPINNERS]) for lock in LOCKS}
    lines = {lock: line_fit(x, y[lock])[1] for lock in ("backoff", "xchgb")}
    bends = {lock: _bend(slowdown, lock) for lock in LOCKS}
    over = {"read": bends["read"]}
    for lock in ("backoff", "xchgb"):
        over[f"read, {bends['read'].value:.3g}, less {lock}, {bends[lock].value:.3g}"] = (
            bends["read"] - bends[lock]
        )
    return claim.all_of(
        claim.at_least(lines, 0.97, note="R^2, lower of the two: {}"),
        claim.positive(over, note="slowdown per squared spinner: {}"),
    )


def _bend(slowdown: Curves, lock: str) -> Ranged:
    """The curvature of a lock's curve, with the most that the spreads of its points can change."""
    x = np.array(SPINNERS, dtype=float)
    points = [slowdown.ranged(lock, q) for q in SPINNERS]
    values, spreads = (np.array(of) for of in zip(*map(astuple, points), strict=True))
    return Ranged(curvature(x, values), curvature_spread(x, spreads))


FIGURE = Figure(series, draw, (all_70,))
