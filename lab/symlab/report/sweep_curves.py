# SPDX-License-Identifier: MIT
"""The curves of a sweep's page: points with confidence intervals, and marks of failed runs."""

import math
from typing import Any

import pandas as pd
import plotly.graph_objects as go
from scipy.special import stdtrit

from symlab.plot.failures import ABOVE_EACH_OTHER, failed_runs
from symlab.plot.generic import is_own
from symlab.plot.labels import rounded
from symlab.plot.repeats import curve_names
from symlab.plot.styles import Style, styles_of
from symlab.report.section import MOST_NUMBERS, about_trace, figure
from symlab.report.sweep_data import SweepData

CONFIDENCE = 0.95
DASHES = {"-": "solid", "--": "dash", "-.": "dashdot", ":": "dot"}
# Failed runs are at the bottom of an axis of their own, which stays if the other is logarithmic.
FAILED_AXIS = {"overlaying": "y", "range": [0, 1], "fixedrange": True, "visible": False}
LOWEST = 0.02


def points(sweep: SweepData, metric: str) -> pd.DataFrame:
    """One row per curve and x over the finished runs, sorted.

    Columns: curve, x, mean, half_width (half the confidence interval of the mean, NaN for a single
    run), least, most, runs (their number). Units are those of `metric`.
    """
    done = sweep.finished.dropna(subset=[metric])
    rows = {"curve": curve_names(done, sweep.curves), "x": done[sweep.x], "y": done[metric]}
    groups = pd.DataFrame(rows).astype({"y": float}).groupby(["curve", "x"], sort=True)["y"]
    found: Any = groups.agg(mean="mean", deviation="std", least="min", most="max", runs="count")
    found = found.reset_index().round({"mean": 6})
    found["half_width"] = list(map(half_width, found["deviation"], found["runs"]))
    return found[["curve", "x", "mean", "half_width", "least", "most", "runs"]]


def half_width(deviation: float, runs: int) -> float:
    """Half the confidence interval of a mean: t x standard deviation / sqrt(runs).

    NaN for a single run.
    """
    if runs < 2:
        return math.nan
    width = float(stdtrit(runs - 1, (1 + CONFIDENCE) / 2)) * deviation / math.sqrt(runs)
    return round(width, 6)


def failed_points(sweep: SweepData) -> pd.DataFrame:
    """One row per curve, x and status of the runs that did not finish, sorted by curve and x."""
    failed = failed_runs(sweep.runs)
    rows = {"curve": curve_names(failed, sweep.curves), "x": failed[sweep.x]}
    found = pd.DataFrame(rows | {"status": failed["status"]}).drop_duplicates()
    return found.sort_values(["curve", "x"], ignore_index=True)


def sweep_figure(sweep: SweepData, metric: str) -> go.Figure:
    """A column over x, with a trace for each curve and one for the crosses of its failed runs."""
    done, failed = points(sweep, metric), failed_points(sweep)
    failed["height"] = LOWEST + failed.groupby("x").cumcount() * ABOVE_EACH_OTHER
    names = sorted({*done["curve"], *failed["curve"]})
    styles = styles_of(names)
    own = [name for name in names if is_own(name, sweep.look)]
    traces = []
    for name in [*own, *(other for other in names if other not in own)]:
        rows, missing = done[done["curve"] == name], failed[failed["curve"] == name]
        weight = 0 if not own else 1 if name in own else -1
        title = styles[name].label if name else metric
        if len(rows):
            traces.append(_curve(name, title, rows, missing, styles[name], weight))
        if len(missing):
            traces.append(_crosses(name, title, missing, styles[name], alone=not len(rows)))
    axes: dict[str, Any] = {"yaxis": {"rangemode": "tozero"}}
    if len(failed):
        axes["yaxis2"] = FAILED_AXIS
    xs = sweep.runs[str(sweep.x)]
    if (xs == xs.round()).all() and xs.max() - xs.min() <= MOST_NUMBERS:
        axes["xaxis"] = {"dtick": 1}  # else plotly would put ticks between whole numbers
    return figure(traces, str(sweep.x), metric, **axes)


def _curve(
    name: str,
    title: str,
    rows: pd.DataFrame,
    missing: pd.DataFrame,
    style: Style,
    weight: int,
) -> go.Scatter:
    """`weight`: 1 for a curve that is emphasised, -1 for one beside such, else 0."""
    bars = {"type": "data", "array": rows["half_width"].fillna(0).tolist(), "width": 3}
    points: list[Any] = list(rows.itertuples())
    means = [rounded(row.mean, row.half_width) for row in points]
    shown = dict(zip(missing["x"], missing["status"], strict=True))
    shown |= dict(zip(rows["x"], means, strict=True))
    texts = [_extremes(row, mean) for row, mean in zip(points, means, strict=True)]
    about = about_trace(curve=name)["meta"] if name else {}
    return go.Scatter(
        name=title,
        x=rows["x"].tolist(),
        y=rows["mean"].tolist(),
        error_y=bars if rows["half_width"].notna().any() else None,
        text=texts,
        hovertemplate="%{x}: %{text}",
        mode="lines+markers",
        line={"color": style.colour, "dash": DASHES[style.line], "width": (2, 4, 1.5)[weight]},
        marker={"color": style.colour, "size": (6, 8, 5)[weight]},
        opacity=(1, 1, 0.65)[weight],
        meta={**about, "title": title, "shown": sorted(shown.items())},
    )


def _crosses(name: str, title: str, missing: pd.DataFrame, style: Style, alone: bool) -> go.Scatter:
    """`alone`: the curve has no other points."""
    statuses = ", ".join(sorted(set(missing["status"])))
    meta = about_trace(curve=name)["meta"] if name else {}
    if alone:
        shown = list(zip(missing["x"], missing["status"], strict=True))
        meta |= {"title": title, "shown": shown}
    return go.Scatter(
        name=f"{title}: {statuses}" if alone else statuses,
        x=missing["x"].tolist(),
        y=missing["height"].tolist(),
        yaxis="y2",
        text=[f"{title}: {status}" for status in missing["status"]],
        hovertemplate="%{x}: %{text}<extra></extra>",
        mode="markers",
        marker={"color": style.colour, "symbol": "x-thin-open", "size": 9, "line": {"width": 2.5}},
        meta=meta,
    )


def _extremes(row: object, mean: str) -> str:
    names = ("least", "most", "runs", "half_width")
    least, most, runs, spread = (getattr(row, name) for name in names)
    if runs == 1:
        return f"{mean}, 1 run"
    return f"{mean}, {runs} runs, {rounded(least, spread)} to {rounded(most, spread)}"
