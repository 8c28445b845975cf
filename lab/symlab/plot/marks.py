# SPDX-License-Identifier: MIT
"""What a figure shows besides its curves: failed runs, so that none vanishes from it, and numbers
that a paper prints in its text.

A failed run has a cross at the x axis, and its status is in the legend. A curve without any
finished run is in the legend under its own name: "MCS: deadlock".

The papers' curves are not available, so the printed numbers are all that a simulated curve can be
compared with.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pandas as pd

from symlab.plot.styles import Style, styles_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FINISHED = "finished"
ABOVE_EACH_OTHER = 0.035  # of the height of the axes
PLAIN = {"marker": "x", "markersize": 6, "markeredgewidth": 1.8, "linestyle": ""}
# Of printed numbers: a colour and dashes that no curve has.
PRINTED_COLOUR = "#777777"
BELOW_LEGEND = 0.75  # of the height of the axes
LINES = ((0, (6, 2)), (0, (1, 1.5)), (0, (8, 2, 2, 2)))


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
    """Marks the failed runs of a figure with a curve for each value of `curve` over `x`. `where`:
    column -> value of the runs that are drawn; failures of others are counted."""
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


@dataclass(frozen=True)
class Printed:
    """A number of a paper in the figure `figure`, a name as in figure.name of a config. `text`: as
    the paper says it. `where`: its place in the paper. `y`, `x`: in the units of the axes; without
    one of them, the number is that of a whole line."""

    figure: str
    text: str
    where: str
    y: float | None = None
    x: tuple[float, ...] = ()

    @property
    def label(self) -> str:
        return f"paper: {self.text} ({self.where})"


def overlay(ax: "Axes", numbers: tuple[Printed, ...]) -> None:
    """Draws each number: a line across the axes, or a marker at each of its points."""
    for number, line in zip(numbers, LINES * len(numbers), strict=False):
        look: dict[str, Any] = {
            "color": PRINTED_COLOUR,
            "linewidth": 1.2,
            "linestyle": line,
            "zorder": 1,
        }
        if number.y is None:
            for at, x in enumerate(number.x):
                ax.axvline(x, 0, BELOW_LEGEND, label=number.label if at == 0 else "_", **look)
        elif number.x:
            marks: dict[str, Any] = {"marker": "o", "markersize": 9, "fillstyle": "none"}
            marks |= {"linestyle": "", "clip_on": False}
            ys = [number.y] * len(number.x)
            ax.plot(number.x, ys, color=PRINTED_COLOUR, label=number.label, zorder=2.5, **marks)
        else:
            ax.axhline(number.y, label=number.label, **look)
