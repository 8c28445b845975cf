# SPDX-License-Identifier: MIT
"""The page about a sweep: curves with confidence intervals, and a table with one row per run."""

import math
from pathlib import Path

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from scipy.special import stdtrit

from symlab.plot.repeats import curve_names
from symlab.plot.styles import style_of
from symlab.report.page import Page
from symlab.report.section import Cell, Chart, Link, Opening, Section, Table, about_trace, figure
from symlab.report.sweep_data import SweepData
from symlab.report.sweep_opening import headline, tiles

CONFIDENCE = 0.95
TIMES = ("elapsed_us", "simulated_us")
FIRST_METRICS = ("bus_utilisation", "lock_wait_us", "lock_hold_us")
DASHES = {"-": "solid", "--": "dash", "-.": "dashdot", ":": "dot"}


def sweep_page(sweep: SweepData) -> Page:
    """The page. Runs with a report.html of their own are linked."""
    failed = len(sweep.runs) - len(sweep.finished)
    warnings = [f"{failed} of {len(sweep.runs)} runs did not finish; they are in no curve."]
    metrics = main_metrics(sweep)[:2]
    charts = [
        Chart(f"curve-{metric.replace('_', '-')}", metric, {"": _figure(sweep, metric)})
        for metric in metrics
    ]
    main = (metrics[0], points(sweep, metrics[0])) if metrics else ("", None)
    opening = Opening(headline(sweep, *main), tiles(sweep, *main), charts, columns=2)
    return Page(
        f"Sweep {sweep.name}, {len(sweep.runs)} runs",
        f"Swept: {', '.join(sweep.keys)}",
        opening,
        [curves(sweep), runs_table(sweep)],
        warnings if failed else [],
    )


def main_metrics(sweep: SweepData) -> list[str]:
    """The columns that can be drawn: a time, the use of the bus, those of locks, then others."""
    if sweep.x is None:
        return []
    time = [metric for metric in TIMES if metric in sweep.metrics][:1]
    first = time + [metric for metric in FIRST_METRICS if metric in sweep.metrics]
    return first + [metric for metric in sweep.metrics if metric not in first]


def curves(sweep: SweepData) -> Section:
    explanation = (
        f"Each point is the mean of its runs. Where there are several (other seeds), the bar is "
        f"the {100 * CONFIDENCE:.0f} % confidence interval of the mean by Student's t, and the "
        "text on a point has the extremes."
    )
    if sweep.x is None:
        missing = "No swept key has numbers, so there is no axis for curves."
        return Section("curves", "Curves", explanation, missing=missing)
    metrics = main_metrics(sweep)
    if not metrics:
        missing = "No measured column differs between the finished runs."
        return Section("curves", "Curves", explanation, missing=missing)
    views = {metric: _figure(sweep, metric) for metric in metrics}
    charts = [Chart("curve-any", "Any column", views)]
    return Section("curves", "Curves", explanation, charts, [_points_table(sweep, metrics[0])])


def points(sweep: SweepData, metric: str) -> pd.DataFrame:
    """One row per curve and x over the finished runs, sorted.

    Columns: curve, x, mean, half_width (half the confidence interval of the mean, NaN for a single
    run), least, most, runs (their number). Units are those of `metric`.
    """
    done = sweep.finished.dropna(subset=[metric])
    rows = {"curve": curve_names(done, sweep.curves), "x": done[sweep.x], "y": done[metric]}
    groups = pd.DataFrame(rows).astype({"y": float}).groupby(["curve", "x"], sort=True)["y"]
    found = groups.agg(mean="mean", deviation="std", least="min", most="max", runs="count")
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


def _figure(sweep: SweepData, metric: str) -> go.Figure:
    traces = []
    for curve, rows in points(sweep, metric).groupby("curve", sort=True):
        style = style_of(str(curve))
        bars = {"type": "data", "array": rows["half_width"].fillna(0).tolist(), "width": 3}
        traces.append(
            go.Scatter(
                name=style.label if curve else metric,
                x=rows["x"].tolist(),
                y=rows["mean"].tolist(),
                error_y=bars if rows["half_width"].notna().any() else None,
                text=[_extremes(row) for row in rows.itertuples()],
                mode="lines+markers",
                line={"color": style.colour, "dash": DASHES[style.line]},
                marker={"color": style.colour},
                **(about_trace(curve=str(curve)) if curve else {}),
            )
        )
    return figure(traces, str(sweep.x), metric, yaxis={"rangemode": "tozero"})


def _extremes(row: object) -> str:
    least, most, runs = (getattr(row, name) for name in ("least", "most", "runs"))
    return f"{runs} runs, {least:,} to {most:,}" if runs > 1 else "1 run"


def _points_table(sweep: SweepData, metric: str) -> Table:
    found = points(sweep, metric)
    rows = [[_cell(value) for value in row] for row in found.itertuples(index=False)]
    columns = ["curve", str(sweep.x), f"mean {metric}", "half_width", "least", "most", "runs"]
    tags = ("curve",) if found["curve"].all() else ()
    return Table("points", f"Points of {metric}", columns, rows, tags)


def runs_table(sweep: SweepData) -> Section:
    columns = [*sweep.keys, "status", *[m for m in TIMES + FIRST_METRICS if m in sweep.runs]]
    rows: list[list[Cell]] = [
        [_link(run, sweep.page.parent), *(_cell(value) for value in row)]
        for run, row in zip(sweep.folders, sweep.runs[columns].itertuples(index=False), strict=True)
    ]
    return Section(
        "runs",
        "The runs",
        "A row a run, as in the sweep's CSV. The link leads to the run's own page if "
        "`symlab report` has written it, else to its folder.",
        tables=[Table("runs-table", "Runs", ["run", *columns], rows)],
    )


def _link(run: str, folder: Path) -> Cell:
    if not (folder / run).is_dir() or not run:
        return None
    page = f"{run}/report.html"
    return Link(run.removeprefix("runs/"), page if (folder / page).is_file() else f"{run}/")


def _cell(value: object) -> Cell:
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and math.isnan(value):
        return None
    number_or_text = isinstance(value, int | float | str) and not isinstance(value, bool)
    return value if number_or_text else str(value)
