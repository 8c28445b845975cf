# SPDX-License-Identifier: MIT
"""Marks failed runs in a figure, so that none of them vanishes from it.

A failed run has a cross at the x axis, and its status is in the legend. A curve without any
finished run is in the legend under its own name: "MCS: deadlock".
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import pandas as pd

from symlab.plot.styles import Style, styles_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FINISHED = "finished"
ABOVE_EACH_OTHER = 0.035  # of the height of the axes
PLAIN = {"marker": "x", "markersize": 6, "markeredgewidth": 1.8, "linestyle": ""}


def failed_runs(runs: pd.DataFrame) -> pd.DataFrame:
    """The rows of runs that did not finish."""
    return runs[runs["status"] != FINISHED] if "status" in runs else runs.iloc[:0]


def count_failures(ax: "Axes", runs: pd.DataFrame) -> None:
    """The number of failed runs by status in the legend, for a figure whose x is not a column."""
    for status, rows in failed_runs(runs).groupby("status"):
        _mark(ax, [], [], "0.3", f"{len(rows)} of {len(runs)} runs: {status}")


def mark_failures(
    ax: "Axes",
    runs: pd.DataFrame,
    x: str = "processors",
    curve: str = "lock",
    where: Mapping[str, object] | None = None,
) -> None:
    """Marks the failed runs of a figure with a curve for each value of `curve` over `x`.

    `where`: column -> value of the runs that are drawn; failures of others are counted.
    """
    for column, value in (where or {}).items():
        if column in runs:
            others = failed_runs(runs[runs[column] != value])
            for status, rows in others.groupby("status"):
                _mark(ax, [], [], "0.3", f"{len(rows)} runs of other curves: {status}")
            runs = runs[runs[column] == value]
    if not len(failed := failed_runs(runs)):
        return
    if x not in runs or curve not in runs:
        count_failures(ax, runs)
        return
    done = set(runs.loc[runs["status"] == FINISHED, curve].astype(str))
    columns = {"curve": failed[curve].astype(str), "x": failed[x], "status": failed["status"]}
    points = pd.DataFrame(columns)
    mark_points(ax, points, styles_of(runs[curve].astype(str)), done)


def mark_points(
    ax: "Axes", failed: pd.DataFrame, styles: Mapping[str, Style], done: set[str]
) -> None:
    """Marks the points in the columns curve, x and status. `done`: curves with finished runs."""
    named: set[str] = set()
    failed = failed.drop_duplicates()
    failed = failed.assign(height=failed.groupby("x").cumcount() * ABOVE_EACH_OTHER)
    for curve, rows in failed.groupby("curve", sort=True):
        style = styles[str(curve)]
        statuses = sorted(set(rows["status"]))
        _mark(ax, rows["x"], rows["height"], style.colour)
        if curve not in done:
            _mark(ax, [], [], style.colour, f"{style.label}: {', '.join(statuses)}")
        else:
            named |= set(statuses)
    for status in sorted(named):
        _mark(ax, [], [], "0.3", status)


def _mark(ax: "Axes", x: Any, height: Any, colour: str, label: str = "_") -> None:
    """Crosses at these heights above the axis. A legend has containers of bars last."""
    place = ax.get_xaxis_transform()
    look: dict[str, Any] = {"color": colour, "transform": place, "clip_on": False, **PLAIN}
    for part in ax.errorbar(x, height, label=label, **look).get_children():
        part.set_in_layout(False)  # they are on the axis, and need no room below it
