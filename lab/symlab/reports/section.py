# SPDX-License-Identifier: MIT
"""The parts of a page: the opening, sections with charts and tables; independent of HTML.

Rows and traces are tagged for the page's filters, for example {"processor": "3", "lock":
"a_lock"}. The page offers all values it finds and shows the rows and traces with the chosen ones.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import plotly.graph_objects as go

MOST_NUMBERS = 12  # on an axis with processors; a telephone has room for them


@dataclass(frozen=True)
class Link:
    """A table cell with a link; `target` is relative to the page."""

    text: str
    target: str


@dataclass(frozen=True)
class Rounded:
    """A table cell with a number that is shown with fewer digits; it is sorted by its value."""

    value: float
    text: str


Cell = str | int | float | Link | Rounded | None


@dataclass(frozen=True)
class Table:
    """A table. Column names end with the unit. `tags`: columns whose values are a row's tags."""

    id: str
    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    tags: Sequence[str] = ()

    @cached_property
    def about(self) -> list[dict[str, str]]:
        """The filter tags of each row; empty if there are none."""
        at = [self.columns.index(tag) for tag in self.tags]
        each = (dict(zip(self.tags, (str(row[i]) for i in at), strict=True)) for row in self.rows)
        return list(each) if at else []


@dataclass(frozen=True)
class Chart:
    """A chart. `views`: name -> figure; the reader chooses one if there are several. `note`: a
    sentence or two on how it is drawn. `curves`: whether it shows curves; the page then offers
    logarithmic axes and a table of the values. `log`: the axes that are so from the start."""

    id: str
    title: str
    views: dict[str, go.Figure]
    note: str = ""
    curves: bool = False
    log: str = "none"


@dataclass(frozen=True)
class Section:
    """A section. `missing`: names data that the run lacks and the config key that records them.
    `texts`: title -> plain text, such as what the guest printed."""

    id: str
    title: str
    explanation: str
    charts: list[Chart] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    missing: str = ""
    texts: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Part:
    """A part of a tile's bar. `size`: share of the whole bar; `shown`: the same in words, or ""."""

    name: str
    size: float
    shown: str
    colour: str


@dataclass(frozen=True)
class Tile:
    """One of the few numbers on the first screen, if it has parts with a bar of them."""

    label: str
    value: str
    bar: list[Part] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Opening:
    """The first screen of a page: the answer in a sentence and numbers, and the main charts.
    `columns`: the number of charts in a row."""

    headline: str
    tiles: list[Tile]
    charts: list[Chart]
    columns: int = 1


def figure(
    traces: list[Any],
    x: str,
    y: str,
    over_time: tuple[float, float] | None = None,
    legend: list[tuple[str, str]] | None = None,
    **layout: Any,
) -> go.Figure:
    """A figure with axis titles `x` and `y`, which include the units. `over_time`: if x is
    simulated time, begin and end of the drawn range in us. The page's time window then applies to
    the figure. `legend`: names and colours, if they are not those of the traces."""
    axes = {"xaxis": {"title": {"text": x}}, "yaxis": {"title": {"text": y}}}
    for name, given in axes.items():
        given |= layout.pop(name, {})
    plain = go.layout.Template()  # the page colours axes and text, for light and dark
    meta = {"over_time": over_time and list(over_time), "legend": legend}
    return go.Figure(traces, {**axes, "template": plain, "meta": meta, **layout})


def table_of(
    id: str, title: str, columns: Sequence[str], records: Iterable[Mapping[Any, Any]], *tags: str
) -> Table:
    """A table of these columns of the records."""
    return Table(id, title, columns, [[one[c] for c in columns] for one in records], tags)


def stacked_bars(
    times: Mapping[str, Sequence[float]], places: Sequence[Any], colours: Mapping[str, str],
    x: str, y: str, tagged: bool = False, across: bool = False, **layout: Any,
) -> go.Figure:  # fmt: skip
    """A bar for each of `places`, divided by name. `times`: name -> its value at each place. `x`,
    `y`: titles of the axes. `tagged`: the places are values of the filter `x`. `across`: the bars
    are horizontal, the first on top."""
    tags = about_points(x, places) if tagged else {}
    if across:
        tags["orientation"] = "h"
        layout["yaxis"] = {"autorange": "reversed", **layout.get("yaxis", {})}
    traces = []
    for name, each in times.items():
        ends = {"x": each, "y": places} if across else {"x": places, "y": each}
        traces.append(go.Bar(name=name, marker={"color": colours[name]}, **ends, **tags))
    return figure(traces, x, y, barmode="stack", **layout)


def processor_bars(
    times: Sequence[Mapping[str, float]], colours: Mapping[str, str], y: str
) -> go.Figure:
    """`stacked_bars` of the processors. `times`: name -> value, for each in order."""
    numbers = list(range(len(times)))
    each = {name: [of[name] for of in times] for name in colours}
    axis = processor_axis(len(numbers))
    return stacked_bars(each, numbers, colours, "processor", y, tagged=True, xaxis=axis)


def processor_axis(count: int) -> dict[str, Any]:
    """Settings of an axis with the numbers of `count` processors: few enough to be read."""
    return {"dtick": -(-count // MOST_NUMBERS)}


def about_trace(**about: str) -> dict[str, Any]:
    """Keyword arguments that tag a whole trace for the filters, by processor, lock, ..."""
    return {"meta": {"about": about}}


def about_points(key: str, values: Sequence[Any]) -> dict[str, Any]:
    """Keyword arguments that tag each point of a trace (in a heatmap, each row) for the filters.
    `key`: name of the filter. `values`: its value for each point."""
    return {"meta": {"points": key}, "customdata": [str(value) for value in values]}
