# SPDX-License-Identifier: MIT
"""The spike of ALL Fig. 3.4 by number of processors, each with a local ready queue.

The height of the spike is the largest minus the smallest cost of a thread for n = 1 to 3P. Relative
to the number of processors P, this is the range of Fig. 3.4.
"""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from symlab.paper.claims import Claim, judges
from symlab.paper.figure import Figure, Verdict
from symlab.paper.measures.fits import line_fit
from symlab.paper.measures.latency import costs, measure
from symlab.plot.curves import Curves, Plot

QUEUES = (6, 12, 18)


series = costs  # processors is also the number of queues
PLOT = Plot("cost_us", "Cost of a thread (µs)", "queues", "runnable", "Runnable threads")


def draw(ax: Axes, data: pd.DataFrame) -> None:
    names = [f"{q:2} queues" for q in data["processors"]]  # the padding sorts them in the legend
    PLOT(ax, data.assign(queues=names))


@judges("ALL-38", "L_max - L_min over q = 6, 12, 18 queues, n = 1 to 3q: rising line, R^2 >= 0.97")
def all_38(claim: Claim, data: pd.DataFrame) -> Verdict:
    named = data.assign(processors="q=" + data["processors"].astype(str))
    cost = Curves.of(named, "cost_us", "runnable", "processors", symbol="n")
    curves = [[cost[f"q={q}", n] for n in range(1, 3 * q + 1)] for q in QUEUES]
    heights = [max(curve) - min(curve) for curve in curves]
    slope, r2 = line_fit(np.array(QUEUES, dtype=float), np.array(heights))
    return claim.all_of(
        claim.judged(slope > 0, slope, 0.0, slope, "us per queue"),
        claim.at_least({"": r2}, 0.97, note=f"R^2; {slope:.3g} us per queue"),
    )


FIGURE = Figure(series, draw, (all_38,), measure, tidy=True)
