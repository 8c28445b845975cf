# SPDX-License-Identifier: MIT
"""Calls of two and four clients per second, on one server with half of the processors."""

import pandas as pd
from matplotlib.axes import Axes
from symlab.plot.figure import Figure, finished
from symlab.plot.models import draw_models
from symlab.plot.repeats import averaged
from symlab_papers.measures.calls import US_PER_S

CLIENTS = {"urpc_load-clients-2": 2, "urpc_load-clients-4": 4}


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """Tidy data, sorted: protocol, clients, processors, calls_per_s (of all), spread_per_s."""
    columns = [f"elapsed_us_client{n + 1}" for n in range(max(CLIENTS.values()))]
    done = finished(
        runs, ["protocol", "image", "processors", "threads", "calls", *columns]
    ).copy()  # fmt: skip
    done["clients"] = done["image"].map(CLIENTS)
    rates = done["threads"].to_numpy()[:, None] * done["calls"].to_numpy()[:, None] / done[columns]
    done["calls_per_s"] = rates.sum(axis=1) * US_PER_S
    return averaged(done, ["protocol", "clients", "processors"], "calls_per_s", "spread_per_s")


def draw(ax: Axes, data: pd.DataFrame) -> None:
    labels = {n: f"{n} clients" for n in CLIENTS.values()}
    draw_models(ax, data, "processors", "calls_per_s", "clients", labels)
    ax.set_xlabel("Processors")
    ax.set_ylabel("Calls per second")


FIGURE = Figure(series, draw, tidy=True)
