# SPDX-License-Identifier: MIT
"""Distributions of times, as cumulative curves that are exact at each point and as a table."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from symlab.report.colours import numbered
from symlab.report.run_data import us
from symlab.report.section import Cell, Table, about_trace, figure

CURVE_POINTS = 200
QUANTILES = {"median_us": 0.5, "p90_us": 0.9, "p99_us": 0.99}
COLUMNS = ["lock", "count", "mean_us", "least_us", *QUANTILES, "most_us"]


def quantile(ordered: NDArray[np.int64], share: float) -> int:
    """The smallest of the sorted values such that at least `share` of all values are <= it."""
    return int(ordered[max(0, int(np.ceil(share * len(ordered))) - 1)])


def cumulative(times: Mapping[str, NDArray[np.int64]], x: str) -> go.Figure:
    """Plots for each lock the share of its `times` (ps) that are at most x (us).

    `x`: title of the x axis.
    """
    traces = []
    for number, (lock, values) in enumerate(times.items()):
        if not len(values):
            continue
        ordered = np.sort(values)
        count = len(ordered)
        ranks = np.unique(np.linspace(1, count, min(count, CURVE_POINTS)).astype(int))
        x_us, shares = [us(ordered[rank - 1]) for rank in ranks], [int(n) / count for n in ranks]
        look = {"marker": {"size": 3}, "line_shape": "hv"}
        traces.append(curve_of(lock, number, x_us, shares, **look))
    return figure(traces, x, "share of them not longer (ratio)", yaxis={"range": [0, 1.02]})


def curve_of(lock: str, number: int, x: list[float], y: list[float], **more: Any) -> go.Scatter:
    """The curve of a lock, with the colour of its number. `more`: further settings."""
    line = {"color": numbered(number)}
    tags = about_trace(lock=lock)
    return go.Scatter(name=lock, x=x, y=y, mode="lines+markers", line=line, **tags, **more)


def table(id: str, title: str, times: Mapping[str, NDArray[np.int64]]) -> Table:
    """One row per lock with `times` (ps), columns COLUMNS."""
    rows: list[list[Cell]] = []
    for lock, values in times.items():
        if not len(values):
            continue
        ordered = np.sort(values)
        mean = round(int(ordered.sum()) / len(ordered))
        inner = [us(quantile(ordered, share)) for share in QUANTILES.values()]
        rows.append([lock, len(ordered), us(mean), us(ordered[0]), *inner, us(ordered[-1])])
    return Table(id, title, COLUMNS, rows, ("lock",))
