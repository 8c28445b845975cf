# SPDX-License-Identifier: MIT
"""The plain plot of a sweep that has no figure module; it has no claims."""

import difflib
from functools import partial
from typing import Any

import pandas as pd
from matplotlib.axes import Axes

from symlab.errors import UserError
from symlab.plot.columns import Columns, guessed, numeric
from symlab.plot.failures import failed_runs, mark_points
from symlab.plot.figure import Figure, finished
from symlab.plot.labels import label
from symlab.plot.legend import add_legend
from symlab.plot.look import Look
from symlab.plot.repeats import averaged, curve_names
from symlab.plot.styles import Style, styles_of
from symlab.plot.ticks import from_zero, log_axis, long_numbers, round_ticks

OWN = {"linewidth": 2.6, "markersize": 6, "zorder": 3}
OTHER = {"linewidth": 1.0, "markersize": 3.5, "alpha": 0.6}  # in a figure with curves that are OWN


def generic_figure(keys: list[str], look: Look | None = None) -> Figure:
    """A plot of elapsed_us (else simulated_us) over the first numeric column of `keys`.

    Each combination of the other `keys` is a curve. If points are repeated with several seeds, y
    is their mean, with a bar of the spread to both sides. `look`: title, another y and the like.
    """
    wanted = look or Look()

    def data(runs: pd.DataFrame) -> pd.DataFrame:
        if wanted.y and len(finished(runs, [])):
            numeric(runs, wanted.y, f"{wanted.place('y')}: ")
        return series(runs, guessed(runs, keys, wanted.y))

    return Figure(data, partial(draw, look=wanted), failures=None)


def series(runs: pd.DataFrame, columns: Columns) -> pd.DataFrame:
    """One row per point: x, y, spread, x_name, y_name, curve, status.

    First the points of finished runs, sorted by curve and x. y: mean of the runs of this curve and
    x. spread: see `averaged`. Then a row without y for each point and status of failed runs.
    """
    points = averaged(_points(finished(runs, []), columns), ["curve", "x"], "y", "spread")
    failed = _points(failed_runs(runs), columns).drop_duplicates(["curve", "x", "status"])
    data = pd.concat([points.assign(status="finished"), failed.assign(y=float("nan"))])
    names = {"x_name": columns.x or "point", "y_name": columns.y}
    return data.fillna({"spread": 0.0}).reset_index(drop=True).assign(**names)


def _points(runs: pd.DataFrame, columns: Columns) -> pd.DataFrame:
    x, y = columns.x, columns.y
    return pd.DataFrame(
        {
            "x": runs[x].astype(float) if x in runs else [float(n) for n in range(len(runs))],
            "y": pd.to_numeric(runs[y]) if y in runs else pd.Series(dtype=float),
            "curve": curve_names(runs, columns.by),
            "status": runs["status"] if len(runs) else [],
        }
    )


def draw(ax: Axes, data: pd.DataFrame, look: Look | None = None) -> None:
    wanted = look or Look()
    styles = styles_of(sorted(set(data["curve"])))
    _check_own(wanted, list(styles))
    done = data[data["status"] == "finished"] if "status" in data else data
    own = [curve for curve in styles if is_own(curve, wanted)]
    for curve in [*own, *(other for other in styles if other not in own)]:
        rows = done[done["curve"] == curve]
        if len(rows):
            _draw_curve(ax, rows, styles[curve], {} if not own else OWN if curve in own else OTHER)
    if len(data):
        x_name, y_name = str(data["x_name"].iloc[0]), str(data["y_name"].iloc[0])
        ax.set_xlabel(label(x_name))
        repeated = ", mean and spread" if (data["spread"] > 0).any() else ""
        ax.set_ylabel(label(y_name) + repeated)
        _scale(ax, data, done, wanted)
    if "status" in data:
        mark_points(ax, data[data["status"] != "finished"], styles, set(done["curve"]))
    if wanted.title:
        ax.set_title(wanted.title)
    if data["curve"].nunique() > 1 or len(done) < len(data):
        add_legend(ax)


def is_own(curve: str, look: Look) -> bool:
    """Whether `look` names the curve, or one of the values in its name."""
    values = {part.rpartition("=")[2] for part in curve.split(", ")}
    return bool(({curve} | values) & set(look.own))


def _check_own(look: Look, curves: list[str]) -> None:
    for name in look.own:
        if curves and not any(is_own(curve, Look(own=(name,))) for curve in curves):
            nearest = difflib.get_close_matches(name, curves, 1)
            hint = f"did you mean {nearest[0]}? The" if nearest else "the"
            known = ", ".join(curves)
            raise UserError(
                f"{look.place('own')}: there is no curve {name}; {hint} curves are {known}"
            )


def _draw_curve(ax: Axes, rows: pd.DataFrame, style: Style, weight: dict[str, float]) -> None:
    ax.plot(rows["x"], rows["y"], **style.keywords | weight)
    spread = rows[rows["spread"] > 0]
    bars: dict[str, Any] = {"color": style.colour, "linewidth": 1, "linestyle": ""}
    if len(spread):
        ax.errorbar(spread["x"], spread["y"], spread["spread"], **bars)


def _scale(ax: Axes, data: pd.DataFrame, done: pd.DataFrame, look: Look) -> None:
    """Scale and ticks of both axes."""
    if look.is_log("x"):
        log_axis(ax, "x", data["x"])
    else:
        round_ticks(ax.xaxis, whole=bool((data["x"] == data["x"].round()).all()))
        long_numbers(ax.xaxis)
    if look.is_log("y"):
        log_axis(ax, "y", done["y"])
    else:
        from_zero(ax)
        round_ticks(ax.yaxis)
        long_numbers(ax.yaxis)
