# SPDX-License-Identifier: MIT
"""The plot of a sweep no figure module describes: something to look at, no claims."""

from functools import partial

import pandas as pd
from matplotlib.axes import Axes
from pandas.api.types import is_bool_dtype, is_numeric_dtype

from symlab.figure import Figure, finished
from symlab.figures.styles import style_of


def generic_figure(name: str, keys: list[str]) -> Figure:
    """x: the first numeric swept column, y: elapsed_us or simulated_us, a curve per rest."""
    return Figure(name, "", (), partial(series, keys=keys), draw)


def series(runs: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    """Columns x, x_name, y, y_name, curve: a row a finished run, sorted by curve and x.

    Without a numeric swept column x counts the runs.
    """
    done = finished(runs, [])
    numeric = [k for k in keys if k in done and _is_number(done[k])]
    x_name = numeric[0] if numeric else "point"
    present = [c for c in ("elapsed_us", "simulated_us") if c in done]
    y_name = present[0] if present else "simulated_us"
    curves = [k for k in keys if k != x_name]
    data = pd.DataFrame(
        {
            "x": done[x_name].astype(float) if numeric else range(len(done)),
            "x_name": x_name,
            "y": pd.to_numeric(done[y_name]) if present else pd.Series(dtype=float),
            "y_name": y_name,
            "curve": [
                ", ".join(
                    f"{key}={row[key]}" if len(curves) > 1 else str(row[key]) for key in curves
                )
                for _, row in done.iterrows()
            ],
        }
    )
    return data.sort_values(["curve", "x"], kind="stable", ignore_index=True)


def draw(ax: Axes, data: pd.DataFrame) -> None:
    for curve, rows in data.groupby("curve", sort=True):
        ax.plot(rows["x"], rows["y"], **style_of(str(curve)).keywords)
    if len(data):
        ax.set_xlabel(str(data["x_name"].iloc[0]))
        ax.set_ylabel(str(data["y_name"].iloc[0]))
        ax.set_ylim(bottom=0)
    if data["curve"].nunique() > 1:
        ax.legend(frameon=False)


def _is_number(column: pd.Series) -> bool:
    return is_numeric_dtype(column) and not is_bool_dtype(column)
