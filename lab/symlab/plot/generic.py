# SPDX-License-Identifier: MIT
"""The plain plot of a sweep that has no figure module; it has no claims."""

from dataclasses import dataclass

import pandas as pd
from matplotlib.axes import Axes

from symlab.paper.figure import Figure, finished
from symlab.plot.repeats import SEED, averaged, curve_names
from symlab.plot.styles import style_of
from symlab.plot.ticks import long_numbers, round_ticks
from symlab.runs.table import is_number

MANY_CURVES = 12  # above it the legend gets small print, since it must not cover the axes


@dataclass(frozen=True)
class Columns:
    """Which columns of a table of runs are plotted. `x`: None, the number of the run. `by`: each
    combination of their values is a curve."""

    x: str | None
    y: str
    by: tuple[str, ...] = ()


def generic_figure(keys: list[str]) -> Figure:
    """A plot of elapsed_us (else simulated_us) over the first numeric column of `keys`.

    Each combination of the other `keys` is a curve. If points are repeated with several seeds, y
    is their mean, with a bar of the spread to both sides.
    """
    return Figure(lambda runs: series(runs, guessed(runs, keys)), draw)


def guessed(runs: pd.DataFrame, keys: list[str]) -> Columns:
    """The columns of the plain plot. If no other column of `keys` is numeric, x is the seed."""
    numeric = sorted((k for k in keys if k in runs and is_number(runs[k])), key=lambda k: k == SEED)
    x = numeric[0] if numeric else None
    y = next((name for name in ("elapsed_us", "simulated_us") if name in runs), "simulated_us")
    return Columns(x, y, tuple(k for k in keys if k not in (x, SEED)))


def series(runs: pd.DataFrame, columns: Columns) -> pd.DataFrame:
    """One row per point, sorted by curve and x: x, y, spread, x_name, y_name, curve.

    y: mean of the finished runs of this curve and x. spread: see `averaged`.
    """
    done = finished(runs, [])
    x, y, by = columns.x, columns.y, columns.by
    data = pd.DataFrame(
        {
            "x": done[x].astype(float) if x in done else range(len(done)),
            "y": pd.to_numeric(done[y]) if y in done else pd.Series(dtype=float),
            "curve": curve_names(done, by),
        }
    )
    points = averaged(data, ["curve", "x"], "y", "spread")
    return points.assign(x_name=x or "point", y_name=y)


def draw(ax: Axes, data: pd.DataFrame) -> None:
    for curve, rows in data.groupby("curve", sort=True):
        style = style_of(str(curve)).keywords
        ax.plot(rows["x"], rows["y"], **style)
        spread = rows[rows["spread"] > 0]
        bars = {"color": style["color"], "linewidth": 1, "linestyle": ""}
        if len(spread):
            ax.errorbar(spread["x"], spread["y"], spread["spread"], **bars)
    if len(data):
        ax.set_xlabel(str(data["x_name"].iloc[0]))
        repeated = " (mean and spread)" if (data["spread"] > 0).any() else ""
        ax.set_ylabel(str(data["y_name"].iloc[0]) + repeated)
        ax.set_ylim(bottom=0)
        round_ticks(ax.xaxis, whole=bool((data["x"] == data["x"].round()).all()))
        round_ticks(ax.yaxis)
        long_numbers(ax.yaxis)
    curves = data["curve"].nunique()
    if curves > 1:
        ax.legend(frameon=False, fontsize="xx-small" if curves > MANY_CURVES else None)
