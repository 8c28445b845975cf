# SPDX-License-Identifier: MIT
"""The plain plot of a sweep that has no figure module; it has no claims."""

from functools import partial

import pandas as pd
from matplotlib.axes import Axes
from pandas.api.types import is_bool_dtype, is_numeric_dtype

from symlab.figure import Figure, finished
from symlab.figures.styles import style_of

SEED = "seed"


def generic_figure(name: str, keys: list[str]) -> Figure:
    """A plot of elapsed_us (else simulated_us) over the first numeric column of `keys`.

    Each combination of the other `keys` is a curve. If points are repeated with several seeds, y
    is their median, with a bar from the smallest to the largest value.
    """
    return Figure(name, "", (), partial(series, keys=keys), draw)


def series(runs: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    """One row per point, sorted by curve and x: x, x_name, y, y_low, y_high, y_name, curve.

    y: median of the finished runs that differ only in the seed, in us. y_low, y_high: their
    extremes. If no other column of `keys` is numeric, x is the seed, or else the number of the
    run.
    """
    done = finished(runs, [])
    numeric = sorted(
        (k for k in keys if k in done and _is_number(done[k])), key=lambda k: k == SEED
    )
    x_name = numeric[0] if numeric else "point"
    present = [c for c in ("elapsed_us", "simulated_us") if c in done]
    y_name = present[0] if present else "simulated_us"
    curves = [k for k in keys if k not in (x_name, SEED)]
    data = pd.DataFrame(
        {
            "x": done[x_name].astype(float) if numeric else range(len(done)),
            "y": pd.to_numeric(done[y_name]) if present else pd.Series(dtype=float),
            "curve": [
                ", ".join(
                    f"{key}={row[key]}" if len(curves) > 1 else str(row[key]) for key in curves
                )
                for _, row in done.iterrows()
            ],
        }
    )
    same = data.groupby(["curve", "x"], sort=True)["y"]
    points = same.agg(y="median", y_low="min", y_high="max").reset_index()
    return points.assign(x_name=x_name, y_name=y_name)


def draw(ax: Axes, data: pd.DataFrame) -> None:
    for curve, rows in data.groupby("curve", sort=True):
        style = style_of(str(curve)).keywords
        ax.plot(rows["x"], rows["y"], **style)
        spread = rows[rows["y_low"] < rows["y_high"]]
        if len(spread):
            bars = {"colors": style["color"], "linewidth": 1}
            ax.vlines(spread["x"], spread["y_low"], spread["y_high"], **bars)
    if len(data):
        ax.set_xlabel(str(data["x_name"].iloc[0]))
        median = " (median, least to most)" if (data["y_low"] < data["y_high"]).any() else ""
        ax.set_ylabel(str(data["y_name"].iloc[0]) + median)
        ax.set_ylim(bottom=0)
    if data["curve"].nunique() > 1:
        ax.legend(frameon=False)


def _is_number(column: pd.Series) -> bool:
    return is_numeric_dtype(column) and not is_bool_dtype(column)
