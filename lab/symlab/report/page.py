# SPDX-License-Identifier: MIT
"""Sections to one HTML file that needs nothing else: plotly.js, styles and data are in it.

The same sections give the same bytes: no time of day, ids by name.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from importlib.resources import files

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup
from plotly.offline import get_plotlyjs

from symlab.report.section import Cell, Chart, Link, Section


@dataclass(frozen=True)
class Page:
    """`pairs`: charts stand two in a row."""

    title: str
    subtitle: str
    sections: list[Section]
    warnings: list[str] = field(default_factory=list)
    pairs: bool = False


def render(page: Page) -> bytes:
    folder = files("symlab.report") / "page"
    environment = Environment(autoescape=True, undefined=StrictUndefined)
    template = environment.from_string((folder / "page.html.j2").read_text(encoding="utf-8"))
    layouts = [figure.layout for chart in _charts(page) for figure in chart.views.values()]
    text = template.render(
        page=page,
        filters=_filters(page),
        over_time=any(layout.meta["over_time"] for layout in layouts),
        css=(folder / "page.css").read_text(encoding="utf-8"),
        script=(folder / "page.js").read_text(encoding="utf-8"),
        plotly=get_plotlyjs(),
        views=_views,
        td=_td,
    )
    return text.encode()


def _charts(page: Page) -> Iterator[Chart]:
    return (chart for section in page.sections for chart in section.charts)


def _views(chart: Chart) -> str:
    """JSON that cannot end the element it stands in."""
    drawn = [figure.to_plotly_json() for figure in chart.views.values()]
    return json.dumps(drawn, separators=(",", ":")).replace("<", "\\u003c")


def _td(cell: Cell) -> Markup:
    """Numbers with all their digits, in groups of three; what is to be sorted by beside them."""
    if cell is None:
        return Markup("<td></td>")
    if isinstance(cell, Link):
        return Markup('<td><a href="{}">{}</a></td>').format(cell.target, cell.text)
    if isinstance(cell, str):
        return Markup("<td>{}</td>").format(cell)
    shown = f"{Decimal(str(cell)):,f}"
    return Markup('<td class="number" data-value="{}">{}</td>').format(cell, shown)


def _filters(page: Page) -> dict[str, list[str]]:
    """Filter -> the values it offers, numbers in order of number."""
    found: dict[str, set[str]] = {}
    for chart in _charts(page):
        for figure in chart.views.values():
            for trace in figure.data:
                meta = trace.meta or {}
                for key, value in meta.get("about", {}).items():
                    found.setdefault(key, set()).add(value)
                if "points" in meta:
                    found.setdefault(meta["points"], set()).update(trace.customdata)
    for section in page.sections:
        for table in section.tables:
            for about in table.about:
                for key, value in about.items():
                    found.setdefault(key, set()).add(value)
    return {
        key: sorted(values, key=_natural)
        for key, values in sorted(found.items())
        if len(values) > 1
    }


def _natural(value: str) -> tuple[bool, int, str]:
    return (not value.isdigit(), int(value) if value.isdigit() else 0, value)
