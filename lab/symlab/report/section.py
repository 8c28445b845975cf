# SPDX-License-Identifier: MIT
"""The parts of a page: sections with charts and tables, independent of HTML.

Rows and traces are tagged for the page's filters, for example {"processor": "3", "lock":
"a_lock"}. The page offers all values it finds and shows the rows and traces with the chosen ones.
"""

from dataclasses import dataclass, field
from typing import Any

import plotly.graph_objects as go

About = dict[str, str]


@dataclass(frozen=True)
class Link:
    """A table cell with a link; `target` is relative to the page."""

    text: str
    target: str


Cell = str | int | float | Link | None


@dataclass(frozen=True)
class Table:
    """A table. Column names end with the unit. `about`: the filter tags of each row."""

    id: str
    title: str
    columns: list[str]
    rows: list[list[Cell]]
    about: list[About] = field(default_factory=list)


@dataclass(frozen=True)
class Chart:
    """A chart. `views`: name -> figure; the reader chooses one if there are several."""

    id: str
    title: str
    views: dict[str, go.Figure]


@dataclass(frozen=True)
class Section:
    """A section. `missing`: names data that the run lacks and the config key that records them."""

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
    """A figure with axis titles `x` and `y`, which include the units.

    `over_time`: if x is simulated time, begin and end of the drawn range in us. The page's time
    window then applies to the figure.
    """
    axes = {"xaxis": {"title": {"text": x}}, "yaxis": {"title": {"text": y}}}
    for name, given in axes.items():
        given |= layout.pop(name, {})
    plain = go.layout.Template()  # the page colours axes and text, for light and dark
    return go.Figure(
        traces,
        {**axes, "template": plain, "meta": {"over_time": over_time and list(over_time)}, **layout},
    )


def about_trace(**about: str) -> dict[str, Any]:
    """Keyword arguments that tag a whole trace for the filters, by processor, lock, ..."""
    return {"meta": {"about": about}}


def about_points(key: str, values: list[Any]) -> dict[str, Any]:
    """Keyword arguments that tag each point of a trace (in a heatmap, each row) for the filters.

    `key`: name of the filter. `values`: its value for each point.
    """
    return {"meta": {"points": key}, "customdata": [str(value) for value in values]}
