# SPDX-License-Identifier: MIT
"""What a page is made of: sections of charts and tables. Nothing here knows HTML.

Filters: what a row or a trace is about stands beside it, as {"processor": "3", "lock": "a_lock"};
the page offers each value it finds and shows what is chosen.
"""

from dataclasses import dataclass, field
from typing import Any

import plotly.graph_objects as go

About = dict[str, str]


@dataclass(frozen=True)
class Link:
    """A cell that leads somewhere: `target` is relative to the page."""

    text: str
    target: str


Cell = str | int | float | Link | None


@dataclass(frozen=True)
class Table:
    """Columns carry their unit in the name. `about`: for each row what filters ask for."""

    id: str
    title: str
    columns: list[str]
    rows: list[list[Cell]]
    about: list[About] = field(default_factory=list)


@dataclass(frozen=True)
class Chart:
    """`views`: name -> figure; if there are several the reader chooses."""

    id: str
    title: str
    views: dict[str, go.Figure]


@dataclass(frozen=True)
class Section:
    """`missing`: what more there would be to see, and which key of the config gives it."""

    id: str
    title: str
    explanation: str
    charts: list[Chart] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    missing: str = ""
    text: str = ""


def figure(
    traces: list[Any],
    x: str,
    y: str,
    over_time: tuple[float, float] | None = None,
    **layout: Any,
) -> go.Figure:
    """A figure with axis titles `x` and `y`, units included. `over_time`: begin and end of what is
    drawn in simulated microseconds, if that is x; the page's time window then cuts it."""
    axes = {"xaxis": {"title": {"text": x}}, "yaxis": {"title": {"text": y}}}
    for name, given in axes.items():
        given |= layout.pop(name, {})
    plain = go.layout.Template()  # the page colours axes and text, for light and dark
    return go.Figure(
        traces,
        {**axes, "template": plain, "meta": {"over_time": over_time and list(over_time)}, **layout},
    )


def about_trace(**about: str) -> dict[str, Any]:
    """Keyword of a trace that is about one processor, lock, ..."""
    return {"meta": {"about": about}}


def about_points(key: str, values: list[Any]) -> dict[str, Any]:
    """Keywords of a trace with a point (of a heatmap: a row) for each of these values."""
    return {"meta": {"points": key}, "customdata": [str(value) for value in values]}
