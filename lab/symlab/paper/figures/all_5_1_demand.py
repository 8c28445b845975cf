# SPDX-License-Identifier: MIT
"""ALL section 5.1: bus demand of spinning, from the slowdown of processors that do not spin.

Some processors run private copies of the counter's section. The others share one copy, and all but
one of them spin. slowdown = (time of a private section / its time without a spinner) - 1. Times are
means over the private processors.
"""

import numpy as np
import pandas as pd

from symlab.paper.claims import Claim, judges
from symlab.paper.figure import Figure, Verdict, finished
from symlab.paper.measures.fits import curvature, line_fit
from symlab.plot.curves import Curves, Plot
from symlab.plot.repeats import averaged

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


@judges(
    "ALL-70",
    "slowdown by spinners: line with R^2 >= 0.97 for backoff and xchgb, curved up for read",
)
def all_70(claim: Claim, data: pd.DataFrame) -> Verdict:
    slowdown = Curves.of(data, "slowdown", x="spinners", symbol="spinners")
    slowdown.require(LOCKS, SPINNERS)
    x = np.array(SPINNERS, dtype=float)
    y = {lock: np.array([slowdown[lock, q] for q in SPINNERS]) for lock in LOCKS}
    lines = {lock: line_fit(x, y[lock])[1] for lock in ("backoff", "xchgb")}
    bend = curvature(x, y["read"])
    return claim.all_of(
        claim.at_least(lines, 0.97, note="R^2, lower of the two: {}"),
        claim.judged(bend > 0, bend, 0.0, bend, "slowdown per squared spinner with read"),
    )


FIGURE = Figure(series, draw, (all_70,))
