# SPDX-License-Identifier: MIT
"""The page about a sweep: curves with confidence intervals, and a table with one row per run."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import plotly.graph_objects as go

from symlab.plot.labels import rounded
from symlab.report.page import Page
from symlab.report.section import Cell, Chart, Link, Opening, Rounded, Section, Table
from symlab.report.sweep_curves import CONFIDENCE, points, sweep_figure
from symlab.report.sweep_data import SweepData
from symlab.report.sweep_opening import headline, tiles

TIMES = ("elapsed_us", "simulated_us")
FIRST_METRICS = ("bus_utilisation", "lock_wait_us", "lock_hold_us")


def sweep_page(sweep: SweepData) -> Page:
    """The page. Runs with a report.html of their own are linked."""
    failed = len(sweep.runs) - len(sweep.finished)
    count = f"{failed} of {len(sweep.runs)} runs did not finish"
    warnings = [f"{count}; they are in no curve; crosses mark them."]
    metrics = main_metrics(sweep)[:2]
    charts = [
        _chart(f"curve-{name.replace('_', '-')}", name, {"": sweep_figure(sweep, name)}, sweep)
        for name in metrics
    ]
    main = (metrics[0], points(sweep, metrics[0])) if metrics else ("", None)
    opening = Opening(headline(sweep, *main), tiles(sweep, *main), charts, columns=2)
    return Page(
        f"Sweep {sweep.name}, {len(sweep.runs)} runs",
        f"{sweep.look.title and sweep.look.title + '. '}Swept: {', '.join(sweep.keys)}",
        opening,
        [curves(sweep), runs_table(sweep)],
        warnings if failed else [],
    )


def main_metrics(sweep: SweepData) -> list[str]:
    """The columns that can be drawn: that of figure.y, a time, the use of the bus, those of locks,
    then others."""
    if sweep.x is None:
        return []
    wanted = [sweep.look.y] if sweep.look.y in sweep.metrics else []
    time = [metric for metric in TIMES if metric in sweep.metrics][:1]
    usual = time + [metric for metric in FIRST_METRICS if metric in sweep.metrics]
    first = list(dict.fromkeys(wanted + usual))
    return first + [metric for metric in sweep.metrics if metric not in first]


def curves(sweep: SweepData) -> Section:
    explanation = (
        f"Each point is the mean of its runs. Where there are several (other seeds), the bar is "
        f"the {100 * CONFIDENCE:.0f} % confidence interval of the mean by Student's t, and the "
        "text on a point has the extremes. A cross at the axis marks runs that did not finish."
    )
    if sweep.x is None:
        missing = "No swept key has numbers, so there is no axis for curves."
        return Section("curves", "Curves", explanation, missing=missing)
    metrics = main_metrics(sweep)
    if not metrics:
        missing = "No measured column differs between the finished runs."
        return Section("curves", "Curves", explanation, missing=missing)
    views = {metric: sweep_figure(sweep, metric) for metric in metrics}
    charts = [_chart("curve-any", "Any column", views, sweep)]
    return Section("curves", "Curves", explanation, charts, [_points_table(sweep, metrics[0])])


def _chart(id: str, title: str, views: dict[str, go.Figure], sweep: SweepData) -> Chart:
    return Chart(id, title, views, curves=True, log=sweep.look.log)


def _points_table(sweep: SweepData, metric: str) -> Table:
    found: Any = points(sweep, metric)
    rows: list[list[Cell]] = [
        [
            row.curve,
            _cell(row.x),
            *(_cell(value, row.half_width) for value in (row.mean, row.half_width)),
            *(_cell(value, row.half_width) for value in (row.least, row.most)),
            row.runs,
        ]
        for row in found.itertuples()
    ]
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


def _cell(value: Any, spread: float = 0.0) -> Cell:
    """`spread`: of the value, which says how many of its digits mean something."""
    if value is None:
        return None
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float):
        return None if math.isnan(value) else Rounded(value, rounded(value, spread))
    number_or_text = isinstance(value, int | str) and not isinstance(value, bool)
    return value if number_or_text else str(value)
