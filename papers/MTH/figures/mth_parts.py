# SPDX-License-Identifier: MIT
"""MTH section 7.2.2: the parts of what couples lose without memory-conscious scheduling."""

import pandas as pd
from matplotlib.axes import Axes
from symlab.plot.figure import finished
from symlab.plot.repeats import averaged
from symlab.plot.ticks import log_axis

AS_IT_IS = "as it is"
QUEUE, APART, CACHE = "no queue in common", "partners not far apart", "cache state not lost"
CENTRAL = "mutex_pairs-central-pools"


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """Tidy data: without (what has been taken away), locks_per_second, spread_per_second."""
    columns = ["image", "ring_interface_cycles", "latency_cycles", "locks_per_second"]
    done = finished(runs, columns).copy()
    done["without"] = AS_IT_IS
    done.loc[done["image"] != CENTRAL, "without"] = QUEUE
    done.loc[done["ring_interface_cycles"] == 0, "without"] = APART
    done.loc[done["latency_cycles"] == 0, "without"] = CACHE
    data = averaged(done, ["without"], "locks_per_second", "spread_per_second")
    order = (AS_IT_IS, QUEUE, APART, CACHE)
    return data.sort_values("without", key=lambda names: names.map(order.index), ignore_index=True)


def draw(ax: Axes, data: pd.DataFrame) -> None:
    """Points on a logarithmic axis: one of the parts costs eighty times as much as the others."""
    rates = data["locks_per_second"]
    ax.plot(rates, data["without"], "o")
    for name, rate in zip(data["without"], rates, strict=True):
        ax.annotate(f"{rate:,.0f}", (rate, name), (0, 7), textcoords="offset points", ha="center")
    ax.set_xlabel("Locks per second")
    ax.set_ylabel("Without")
    log_axis(ax, "x", rates)
    ax.margins(x=0.2, y=0.2)
    ax.invert_yaxis()
