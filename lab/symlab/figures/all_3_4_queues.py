# SPDX-License-Identifier: MIT
"""The spike of ALL Fig. 3.4 by number of processors, each with a local ready queue.

The height of the spike is the largest minus the smallest cost of a thread for n = 1 to 3P. Relative
to the number of processors P, this is the range of Fig. 3.4. Claim ALL-38.
"""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from symlab.claims import Claim
from symlab.curves import Curves, plot_curves
from symlab.figure import Figure, Verdict
from symlab.fits import line_fit
from symlab.latency import costs, measure

QUEUES = (6, 12, 18)


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """The columns of `latency.costs`; processors is also the number of queues."""
    return costs(runs)


def draw(ax: Axes, data: pd.DataFrame) -> None:
    names = [f"{q:2} queues" for q in data["processors"]]  # the padding sorts them in the legend
    named = data.assign(queues=names)
    plot_curves(ax, named, "runnable", "cost_us", curve="queues")
    ax.set_xlabel("Runnable threads")
    ax.set_ylabel("Cost of a thread (µs)")


def all_38(data: pd.DataFrame) -> Verdict:
    """The height of the spike grows linearly with the number of queues."""
    statement = "L_max - L_min over q = 6, 12, 18 queues, n = 1 to 3q: rising line, R^2 >= 0.97"
    claim = Claim("ALL-38", "ALL section 3.6", statement)
    cost = Curves.of(
        data.assign(processors=data["processors"].astype(str)),
        "cost_us",
        x="runnable",
        curve="processors",
        symbol="n",
    )
    ranges = {q: range(1, 3 * q + 1) for q in QUEUES}
    missing = [cost.missing([str(q)], n) for q, n in ranges.items()]
    if any(missing):
        return claim.not_run("; ".join(f"q={gap}" for gap in missing if gap))
    curves = {q: [cost[str(q), at] for at in n] for q, n in ranges.items()}
    heights = [max(curve) - min(curve) for curve in curves.values()]
    slope, r2 = line_fit(np.array(QUEUES, dtype=float), np.array(heights))
    return claim.all_of(
        claim.judged(slope > 0, slope, 0.0, slope, "us per queue"),
        claim.at_least({"": r2}, 0.97, note=f"R^2; {slope:.3g} us per queue"),
    )


FIGURE = Figure(
    id="all-3.4-queues",
    config="configs/figures/ALL/figure-3.4-queues.toml",
    claims=(all_38,),
    series=series,
    draw=draw,
    measure=measure,
    tidy=True,
    quick={"guest.args.runnable": [5, 7], "guest.args.events": [100, 120]},
)
