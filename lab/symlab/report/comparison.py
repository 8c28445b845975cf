# SPDX-License-Identifier: MIT
"""The page that compares two runs: differences of config and results, and charts side by side."""

from dataclasses import replace
from typing import Any

import plotly.graph_objects as go

from symlab.report.page import Page
from symlab.report.run_data import RunData, ps, ratio, us
from symlab.report.run_page import sections_of, title_of, warnings_of
from symlab.report.section import Cell, Chart, Section, Table
from symlab.report.spinning import bill


def comparison_page(a: RunData, b: RunData) -> Page:
    warnings = [f"{x}: {text}" for x, run in (("A", a), ("B", b)) for text in warnings_of(run)]
    return Page(
        f"{title_of(a)} and {title_of(b)}",
        f"A, on the left, is run {a.name}; B, on the right, is run {b.name}.",
        [differences(a, b), *_side_by_side(a, b)],
        warnings,
        pairs=True,
    )


def differences(a: RunData, b: RunData) -> Section:
    """The section with config keys that differ, and all measures with difference and ratio."""
    keys = [key for key in {**a.config, **b.config} if a.config.get(key) != b.config.get(key)]
    config: list[list[Cell]] = [
        [key, str(a.config.get(key, "")), str(b.config.get(key, ""))] for key in sorted(keys)
    ]
    of_a, of_b = measures(a), measures(b)
    rows: list[list[Cell]] = [
        [name, of_a.get(name), of_b.get(name), *_difference(of_a.get(name), of_b.get(name))]
        for name in {**of_a, **of_b}
    ]
    return Section(
        "differences",
        "What differs",
        "B - A, and B over A. Sums are over all processors and all locks.",
        tables=[
            Table("config-differences", "Config", ["key", "A", "B"], config),
            Table("differences-table", "Results", ["what", "A", "B", "B - A", "B / A"], rows),
        ],
    )


def measures(run: RunData) -> dict[str, float]:
    """Name -> value of the quantities by which runs are compared; the names include the units."""
    bus, locks = run.summary["bus"], run.summary["locks"]
    found: dict[str, Any] = {
        "simulated_us": run.summary["simulated_us"],
        "instructions": run.summary["instructions"],
        "bus utilisation (ratio)": bus["utilisation"],
        "bus transactions": bus["all_transactions"],
        "mean bus wait (us)": bus["mean_wait_us"],
    }
    for table in ("states_us", "activities_us"):
        for name in run.processors[0][table]:
            total = sum(ps(processor[table][name]) for processor in run.processors)
            if total:
                found[f"{name} (us)"] = us(total)
    acquisitions = sum(lock["acquisitions"] for lock in locks)
    if acquisitions:
        found["lock acquisitions"] = acquisitions
        for name in ("wait", "hold"):
            total = sum(ps(lock[f"{name}_us"]) for lock in locks)
            found[f"lock {name} per acquisition (us)"] = us(round(total / acquisitions))
    for name, value, unit in bill(run).rows:
        if isinstance(value, int | float):
            found[f"{name} ({unit})" if unit else str(name)] = value
    for name, value in run.summary["guest"]["results"].items():
        if isinstance(value, int | float):
            found[f"guest: {name}"] = value
    return found


def _difference(a: float | None, b: float | None) -> list[Cell]:
    if a is None or b is None:
        return [None, None]
    return [round(b - a, 6), ratio(b, a) if a else None]


def _side_by_side(a: RunData, b: RunData) -> list[Section]:
    """The sections with charts; each chart of A is followed by that of B with the same scale."""
    others = {section.id: section for section in sections_of(b)}
    found = []
    for section in sections_of(a):
        other = others.get(section.id)
        if other is None or not (section.charts and other.charts):
            continue
        charts_of_b = {chart.id: chart for chart in other.charts}
        pairs = [(c, charts_of_b[c.id]) for c in section.charts if c.id in charts_of_b]
        charts = [chart for pair in pairs for chart in _pair(*pair)]
        found.append(replace(section, charts=charts, tables=[], text="", missing=""))
    return found


def _pair(a: Chart, b: Chart) -> list[Chart]:
    for name in a.views.keys() & b.views.keys():
        _same_height(a.views[name], b.views[name])
    return [
        replace(chart, id=f"{chart.id}-{side.lower()}", title=f"{side}: {chart.title}")
        for side, chart in (("A", a), ("B", b))
    ]


def _same_height(a: go.Figure, b: go.Figure) -> None:
    """Gives both figures the same range of values, so that bars and lines can be compared."""
    lengths = [_longest(drawn) for drawn in (a, b)]
    across = any(trace.type == "bar" and trace.orientation == "h" for trace in a.data)
    axis = "xaxis" if across else "yaxis"
    if a.layout[axis].range is None and all(lengths):
        for drawn in (a, b):
            drawn.layout[axis].range = [0, 1.05 * max(lengths)]


def _longest(drawn: go.Figure) -> float:
    """The longest bar or stack of bars, or the highest point; 0 if the chart shows neither."""
    if any(trace.type not in ("bar", "scatter") for trace in drawn.data):
        return 0.0
    across = [trace.type == "bar" and trace.orientation == "h" for trace in drawn.data]
    lengths = [list(t.x if h else t.y) for t, h in zip(drawn.data, across, strict=True)]
    if drawn.layout.barmode == "stack":
        return max((sum(column) for column in zip(*lengths, strict=True)), default=0.0)
    return max((max(each, default=0.0) for each in lengths), default=0.0)
