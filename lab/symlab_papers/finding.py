# SPDX-License-Identifier: MIT
"""Finds the figures of papers/<PAPER>/figures/, and those of symlab_papers/figures/ for no paper.

The name of a figure begins with that of its paper: `all-4.1`. Its config describes it
(described.py), or a module does that is named after it with `_` in place of `.` and `-`. The module
has `FIGURE`, `series`, `draw`, the curves for the checks of paper.toml and functions for other
ones. A group of like figures, or a figure and its companions, can share a module with `FIGURES`,
last part of the name -> figure. A sweep without any gets a plain plot. The first line of the
module's docstring is the caption of `FIGURE`.

A figure gets the numbers that the paper prints in its text (`printed` in papers/<name>/paper.toml).
The papers' curves are not available, so a simulated curve can be compared with nothing else.
"""

import importlib
import importlib.util
import re
from functools import cache
from types import ModuleType

from symlab.places import PAPERS
from symlab.plot.figure import Figure
from symlab.plot.marks import Printed

from symlab_papers.described import described
from symlab_papers.rows import Row, rows


def caption_of(name: str) -> str:
    """Caption of the figure `name`: its own, or its module's first line, without the place in the
    paper. Empty if the figure has neither."""
    if (figure := found(name)) and figure.caption:
        return figure.caption
    first = (_module(name).__doc__ or "").partition("\n")[0] if _module(name) else ""
    place, colon, rest = first.partition(": ")
    shown = rest if colon and re.match("[A-Z]+ ", place) else first
    return shown[:1].upper() + shown[1:]


def found(name: str) -> Figure | None:
    """The figure that a config describes, or that a module defines, alone or in a group."""
    if (figure := described(name)) is not None:
        return figure
    group, _, member = name.rpartition("-")
    alone = getattr(_module(name), "FIGURE", None)
    figure = alone or getattr(_module(group), "FIGURES", {}).get(member)
    return figure if isinstance(figure, Figure) else None


def _module(name: str) -> ModuleType | None:
    paper = name.partition("-")[0].upper()
    known = paper and (PAPERS / paper).is_dir()
    package = f"symlab_papers.papers.{paper}.figures" if known else "symlab_papers.figures"
    module = f"{package}.{re.sub(r'[^a-zA-Z0-9]', '_', name)}"
    return importlib.import_module(module) if importlib.util.find_spec(module) else None


def printed(figure: str) -> tuple[Printed, ...]:
    """The numbers for the figure of this name."""
    return tuple(one for one in all_printed() if one.figure == figure)


@cache
def all_printed() -> tuple[Printed, ...]:
    """The numbers of all papers."""
    papers = sorted(file.parent.name for file in PAPERS.glob("*/paper.toml"))
    return tuple(of for paper in papers for row in rows(paper).values() for of in _of(row))


def _of(row: Row) -> list[Printed]:
    """The numbers of a claim. Their place is that of the claim unless they have one."""
    return [
        Printed(**({"where": row.where} | dict(one) | {"x": tuple(one.get("x", ()))}))
        for one in row.printed
    ]
