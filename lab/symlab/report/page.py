# SPDX-License-Identifier: MIT
"""Renders sections to one self-contained HTML file with plotly.js, styles and data.

Equal sections give equal bytes: the page has no time of day, and ids are made from names.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from importlib.resources import files

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup
from plotly.offline import get_plotlyjs

from symlab.report.section import Cell, Chart, Link, Opening, Rounded, Section


@dataclass(frozen=True)
class Page:
    """A page. `pairs`: whether the charts are drawn two in a row."""

    title: str
    subtitle: str
    opening: Opening
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
    yield from page.opening.charts
    yield from (chart for section in page.sections for chart in section.charts)


def _views(chart: Chart) -> str:
    """The chart's figures as JSON with "<" escaped, so that no text can end the script element."""
    drawn = [figure.to_plotly_json() for figure in chart.views.values()]
    return json.dumps(drawn, separators=(",", ":")).replace("<", "\\u003c")


def _td(cell: Cell) -> Markup:
    """A table cell. Numbers have all digits, in groups of three, and their value for sorting."""
    if cell is None:
        return Markup("<td></td>")
    if isinstance(cell, Link):
        return Markup('<td><a href="{}">{}</a></td>').format(cell.target, cell.text)
    if isinstance(cell, Rounded):
        shown = '<td class="number" data-value="{}">{}</td>'
        return Markup(shown).format(cell.value, cell.text)
    if isinstance(cell, str):
        return Markup("<td>{}</td>").format(cell)
    shown = f"{Decimal(str(cell)):,f}"
    return Markup('<td class="number" data-value="{}">{}</td>').format(cell, shown)


def _filters(page: Page) -> dict[str, list[str]]:
    """Filter -> the values it offers, with numbers in numeric order."""
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
        key: sorted(values, key=lambda v: (not v.isdigit(), int(v) if v.isdigit() else 0, v))
        for key, values in sorted(found.items())
        if len(values) > 1
    }
