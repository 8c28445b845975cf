# SPDX-License-Identifier: MIT
"""Calls of one client per second on 2 to 20 processors, by the lock at the ends of its channel."""

import pandas as pd
from matplotlib.axes import Axes
from symlab.plot.figure import Figure, finished
from symlab.plot.models import draw_models
from symlab.plot.repeats import averaged
from symlab_papers.measures.calls import US_PER_S

# Image -> the lock.
LOCKS = {
    "urpc_load": "tried once",
    "urpc_load-none": "none",
    "urpc_load-backoff": "backoff, waited for",
    "urpc_load-mcs": "MCS, waited for",
}


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """Tidy data, sorted: protocol, lock, processors, calls_per_s, spread_per_s, bus_per_call (bus
    transactions), bus_utilisation."""
    columns = ["protocol", "image", "processors", "threads", "calls", "elapsed_us"]
    done = finished(runs, [*columns, "all_transactions", "bus_utilisation"]).copy()
    done["lock"] = done["image"].map(LOCKS)
    made = done["threads"] * done["calls"]
    done["calls_per_s"] = made / done["elapsed_us"] * US_PER_S
    done["bus_per_call"] = done["all_transactions"] / made
    others = ["bus_per_call", "bus_utilisation"]
    keys = ["protocol", "lock", "processors"]
    return averaged(done, keys, "calls_per_s", "spread_per_s", others)


def draw(ax: Axes, data: pd.DataFrame) -> None:
    draw_models(ax, data, "processors", "calls_per_s", "lock", {n: n for n in LOCKS.values()})
    ax.set_xlabel("Processors")
    ax.set_ylabel("Calls per second")


FIGURE = Figure(series, draw, tidy=True)
