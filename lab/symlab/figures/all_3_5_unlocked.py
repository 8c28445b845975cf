# SPDX-License-Identifier: MIT
"""ALL section 3.5: as many equal threads as processors, of which one is given two and one none.

With unlocked queues, from which no other processor may take, the two threads run one after the
other. Claim ALL-40.
"""

import pandas as pd
from matplotlib.axes import Axes

from symlab.claims import Claim
from symlab.curves import Curves, plot_curves
from symlab.figure import Figure, Verdict, finished

CENTRAL, UNLOCKED = "local-freelist", "unlocked-queues"
PROCESSORS = (2, 6, 12, 18)


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """Columns processors, strategy, elapsed_us, lives, sorted.

    lives: elapsed time divided by the time of one thread.
    """
    done = finished(runs, ["processors", "strategy", "elapsed_us", "us"]).copy()
    done["lives"] = done["elapsed_us"] / done["us"].astype(float)
    columns = ["processors", "strategy", "elapsed_us", "lives"]
    return done[columns].sort_values(["strategy", "processors"], ignore_index=True)


def draw(ax: Axes, data: pd.DataFrame) -> None:
    plot_curves(ax, data, "processors", "lives", curve="strategy")
    ax.set_xlabel("Processors, and equal threads")
    ax.set_ylabel("Elapsed time / that of a thread")


def all_40(data: pd.DataFrame) -> Verdict:
    """A single imbalance doubles the elapsed time."""
    statement = f"elapsed time, unlocked over central queue: 2 +- 0.05, P = {PROCESSORS}"
    claim = Claim("ALL-40", "ALL section 3.5", statement)
    time = Curves.of(data, "elapsed_us", curve="strategy")
    distances = {
        p: abs(time[UNLOCKED, p] / time[CENTRAL, p] - 2)
        for p in PROCESSORS
        if (UNLOCKED, p) in time and (CENTRAL, p) in time
    }
    missing = time.missing([UNLOCKED, CENTRAL], PROCESSORS)
    return claim.at_most(distances, 0.05, missing, "distance from 2, P={}")


FIGURE = Figure(
    id="all-3.5-unlocked",
    config="configs/figures/ALL/section-3.5-unlocked.toml",
    claims=(all_40,),
    series=series,
    draw=draw,
    quick={"guest.args.us": 20000, "machine.processors": [2, 6]},
)
