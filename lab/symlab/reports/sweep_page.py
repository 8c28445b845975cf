# SPDX-License-Identifier: MIT
"""The page about a sweep: where it is least and most, curves, and a row for each run."""

import functools
import math
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from symlab.plot.generic import is_own
from symlab.plot.marks import ABOVE_EACH_OTHER, failed_runs
from symlab.plot.repeats import curve_names
from symlab.plot.styles import Style, style_of, styles_of
from symlab.plot.ticks import rounded
from symlab.reports.page import Page
from symlab.reports.section import (
    MOST_NUMBERS,
    Cell,
    Chart,
    Link,
    Opening,
    Rounded,
    Section,
    Table,
    Tile,
    about_trace,
    figure,
)
from symlab.reports.sweep_data import SweepData
from symlab.reports.words import number

TIMES = ("elapsed_us", "simulated_us")
FIRST_METRICS = ("bus_utilisation", "lock_wait_us", "lock_hold_us")
CONFIDENCE = 0.95
DASHES = {"-": "solid", "--": "dash", "-.": "dashdot", ":": "dot"}
# Failed runs are at the bottom of an axis of their own, which stays if the other is logarithmic.
FAILED_AXIS = {"overlaying": "y", "range": [0, 1], "fixedrange": True, "visible": False}
LOWEST = 0.02


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
    metrics = main_metrics(sweep)
    if not metrics:
        missing = "No measured column differs between the finished runs."
        if sweep.x is None:
            missing = "No swept key has numbers, so there is no axis for curves."
        return Section("curves", "Curves", explanation, missing=missing)
    views = {metric: sweep_figure(sweep, metric) for metric in metrics}
    charts = [_chart("curve-any", "Any column", views, sweep)]
    return Section("curves", "Curves", explanation, charts, [_points_table(sweep, metrics[0])])


def _chart(id: str, title: str, views: dict[str, go.Figure], sweep: SweepData) -> Chart:
    return Chart(id, title, views, curves=True, log=sweep.look.log)


def _points_table(sweep: SweepData, metric: str) -> Table:
    found: Any = points(sweep, metric)
    rows = [
        [curve, _cell(x), *(_cell(value, numbers[1]) for value in numbers), runs]
        for curve, x, *numbers, runs in found.itertuples(index=False)
    ]
    columns = ["curve", str(sweep.x), f"mean {metric}", "half_width", "least", "most", "runs"]
    tags = ("curve",) if found["curve"].all() else ()
    return Table("points", f"Points of {metric}", columns, rows, tags)


def runs_table(sweep: SweepData) -> Section:
    columns = [*sweep.keys, "status", *[m for m in TIMES + FIRST_METRICS if m in sweep.runs]]
    rows = [
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


def points(sweep: SweepData, metric: str) -> pd.DataFrame:
    """One row per curve and x over the finished runs, sorted. Columns: curve, x, mean, half_width
    (half the confidence interval of the mean, NaN for a single run), least, most, runs (their
    number). Units are those of `metric`."""
    done = sweep.finished.dropna(subset=[metric])
    rows = {"curve": curve_names(done, sweep.curves), "x": done[sweep.x], "y": done[metric]}
    groups = pd.DataFrame(rows).astype({"y": float}).groupby(["curve", "x"], sort=True)["y"]
    found: Any = groups.agg(mean="mean", deviation="std", least="min", most="max", runs="count")
    found = found.reset_index().round({"mean": 6})
    found["half_width"] = list(map(half_width, found["deviation"], found["runs"]))
    return found[["curve", "x", "mean", "half_width", "least", "most", "runs"]]


def half_width(deviation: float, runs: int) -> float:
    """Half the confidence interval of a mean: t x standard deviation / sqrt(runs). NaN for a single
    run."""
    if runs < 2:
        return math.nan
    return round(student_t(runs - 1) * deviation / math.sqrt(runs), 6)


@functools.cache
def student_t(freedom: int) -> float:
    """The t that Student's distribution exceeds in absolute value with 1 - CONFIDENCE. `freedom`:
    its degrees of freedom. Abramowitz & Stegun, Handbook of Mathematical Functions, 26.7.3 and
    26.7.4: a finite sum of the angle whose tangent is t / sqrt(freedom)."""

    def within(angle: float) -> float:
        odd = freedom % 2
        term = total = math.cos(angle) if odd else 1.0
        for n in range(2 + odd, freedom - 1, 2):
            term *= (n - 1) / n * math.cos(angle) ** 2
            total += term
        total = total if freedom > 1 else 0.0
        inner = math.sin(angle) * total
        return (angle + inner) * 2 / math.pi if odd else inner

    low, high = 0.0, math.pi / 2
    while low < (middle := (low + high) / 2) < high:
        low, high = (middle, high) if within(middle) < CONFIDENCE else (low, middle)
    return math.sqrt(freedom) * math.tan(low)


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
    name: str, title: str, rows: pd.DataFrame, missing: pd.DataFrame, style: Style, weight: int
) -> go.Scatter:
    """`weight`: 1 for a curve that is emphasised, -1 for one beside such, else 0."""
    bars = {"type": "data", "array": rows["half_width"].fillna(0).tolist(), "width": 3}
    points: list[Any] = list(rows.itertuples())
    means = [rounded(row.mean, row.half_width) for row in points]
    shown = dict(zip(missing["x"], missing["status"], strict=True))
    shown |= dict(zip(rows["x"], means, strict=True))
    texts = [_point_text(row, mean) for row, mean in zip(points, means, strict=True)]
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


def _point_text(row: Any, mean: str) -> str:
    if row.runs == 1:
        return f"{mean}, 1 run"
    least, most = (rounded(value, row.half_width) for value in (row.least, row.most))
    return f"{mean}, {row.runs} runs, {least} to {most}"


def headline(sweep: SweepData, metric: str, means: pd.DataFrame | None) -> str:
    """The best and worst curve at the largest x that they share, or the extremes of one curve."""
    if not len(sweep.finished):
        return f"None of the {len(sweep.runs)} runs finished."
    if sweep.x is None:
        return "No swept key has numbers, so there is no axis for curves; the runs are below."
    if means is None:
        return "No measured column differs between the finished runs."
    means = _complete(sweep, means)
    everywhere = means.groupby("x")["curve"].nunique() == means["curve"].nunique()
    if means["curve"].nunique() > 1 and everywhere.any():
        x = everywhere[everywhere].index.max()
        least, most = _extremes(means[means["x"] == x])
        place = f"At {sweep.x} = {x}, {metric}"
        names = [style_of(str(row["curve"])).label for row in (least, most)]
    else:
        least, most = _extremes(means)
        place = metric
        names = [_place(sweep, row) for row in (least, most)]
    if least["mean"] == most["mean"]:
        return f"{place} is the same for all: {number(least['mean'])}."
    times = f", {number(most['mean'] / least['mean'])} times as much" if least["mean"] else ""
    return (
        f"{place} is least for {names[0]} ({number(least['mean'])}) and most for {names[1]} "
        f"({number(most['mean'])}{times})."
    )


def tiles(sweep: SweepData, metric: str, means: pd.DataFrame | None) -> list[Tile]:
    """The number of runs, the extremes of the main column, and the range of the bus's use."""
    finished, failed = len(sweep.finished), len(sweep.runs) - len(sweep.finished)
    swept = [f"{key}: {sweep.runs[key].nunique()} values" for key in sweep.keys]
    missing = [f"{failed} did not finish."] if failed else []
    found = [Tile("Runs", f"{finished} finished", notes=[*missing, f"Swept: {', '.join(swept)}."])]
    if means is None:
        return found
    for name, row in zip(("Least", "Most"), _extremes(means), strict=True):
        count = f"Mean of {row['runs']} runs." if row["runs"] > 1 else "One run."
        place = _place(sweep, row)
        notes = [f"{place[0].upper()}{place[1:]}.", count]
        found.append(Tile(f"{name} {metric}", number(row["mean"]), notes=notes))
    if "bus_utilisation" in sweep.finished:
        use = 100 * sweep.finished["bus_utilisation"]
        found.append(Tile("Bus busy", f"{use.min():.1f} to {use.max():.1f}\u00a0%"))
    return found


def _complete(sweep: SweepData, means: pd.DataFrame) -> pd.DataFrame:
    """The points of the curves without failed runs, if there are two or more such curves. A lock
    that runs on one processor only would otherwise leave just that x to compare at."""
    failed = set(curve_names(failed_runs(sweep.runs), sweep.curves))
    complete = means[~means["curve"].isin(failed)]
    return complete if complete["curve"].nunique() > 1 else means


def _extremes(means: pd.DataFrame) -> tuple[pd.Series, pd.Series]:
    least: Any = means["mean"].idxmin()
    most: Any = means["mean"].idxmax()
    return means.loc[least], means.loc[most]


def _place(sweep: SweepData, row: pd.Series) -> str:
    """A point in words: its curve, if there are several, and x."""
    at = f"{sweep.x} = {row['x']}"
    return f"{style_of(str(row['curve'])).label}, {at}" if row["curve"] else at
