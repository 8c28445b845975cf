# SPDX-License-Identifier: MIT
"""Defines a figure, with data, drawing and verdicts kept separate, and writes its files.

Each figure has a module in symlab/paper/figures/, named after it with `_` in place of `.` and `-`.
The module has `FIGURE`, `series`, `draw` and one function per claim. A group of like figures, or a
figure and its companions, can share a module with `FIGURES`, last part of the name -> figure. A
sweep without any gets a plain plot. The first line of the module's docstring is the caption of
`FIGURE`.
"""

import importlib
import importlib.util
import io
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import Any, Literal

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure as Canvas

from symlab.errors import UserError
from symlab.paper.printed import Printed, overlay, printed
from symlab.plot.failures import count_failures
from symlab.plot.legend import add_legend
from symlab.plot.look import Look
from symlab.runs.columns import texts
from symlab.runs.csv_file import csv_bytes
from symlab.runs.one_run import Run
from symlab.runs.store import write_atomically

State = Literal["holds", "fails", "undecided", "not run"]

SIZE_INCHES = (5.0, 3.75)
PNG_DOTS_PER_INCH = 160
# Columns of tidy data whose names may look like numbers, such as row 120 of a table, or be empty.
NAMED = texts("row", "claims_failing")


@dataclass(frozen=True)
class Verdict:
    """The result of judging one claim.

    `value` is compared with `bound`. `margin` is their signed distance in the value's unit,
    positive if the claim holds, never positive if it does not. All three are None if there is
    nothing to compare. `check`: what was compared. `note`: which runs are missing, or at which
    point the value was taken. A claim is undecided if it orders values that differ by no more than
    their run-to-run spread.
    """

    id: str
    state: State
    value: float | None
    bound: float | None
    margin: float | None
    check: str
    note: str = ""


@dataclass(frozen=True)
class Beside:
    """Another sweep whose data the claims of a figure need.

    `sweep`: its name. `joined`: the figure's data with those of the other sweep's figure added.
    `own`: the figure's data with its own numbers in their place, for a study of variants of the
    machine, for which the other sweep is not run.
    """

    sweep: str
    joined: Callable[[pd.DataFrame, pd.DataFrame], pd.DataFrame]
    own: Callable[[pd.DataFrame], pd.DataFrame]


@dataclass(frozen=True)
class Figure:
    """One figure.

    `series`: pure function from the runs (one row each, columns of the sweep's CSV) to tidy data.
    `draw`: plots the data on the axes and changes nothing else. `claims`: functions from the data
    to a verdict. `tidy`: whether <name>.csv contains the tidy data; the runs are then in
    <name>-runs.csv. `measure`: function from a finished run to further columns of its row, for
    quantities that `table.summary_columns` lacks. `failures`: marks the failed runs on the axes;
    None if `draw` does. `printed`: numbers in the paper's text that belong in the figure.

    `beside`: another sweep that some claims need; without its data these are not run.
    `title`: above the axes; the published figures have their `caption` in the text instead.

    A column of spreads (plot/repeats.py) with nothing but zeros means that nothing was repeated.
    """

    series: Callable[[pd.DataFrame], pd.DataFrame]
    draw: Callable[[Axes, pd.DataFrame], None]
    claims: tuple[Callable[[pd.DataFrame], Verdict], ...] = ()
    measure: Callable[[Run], dict[str, float]] = lambda run: {}
    tidy: bool = False
    failures: Callable[[Axes, pd.DataFrame], None] | None = count_failures
    printed: tuple[Printed, ...] = ()
    beside: Beside | None = None
    title: str = ""
    caption: str = ""

    def csv(self, runs: pd.DataFrame) -> bytes:
        """The tidy data as CSV."""
        return csv_bytes(self.series(runs), NAMED)

    def judge(self, runs: pd.DataFrame) -> list[Verdict]:
        """One verdict per claim, from the table of runs."""
        return self.judge_data(self.series(runs))

    def judge_data(self, data: pd.DataFrame) -> list[Verdict]:
        """One verdict per claim, from the tidy data that `series` returns."""
        unknown = [c for c in map(str, data) if c.startswith("spread") and (data[c] == 0).all()]
        data = data.assign(**dict.fromkeys(unknown, np.nan))
        return [claim(data) for claim in self.claims]


def find_figure(name: str, keys: list[str], look: Look | None = None) -> Figure:
    """The figure `name`, as in figure.name of a config, else a plain plot over columns `keys`.

    `look`: title, and what else the config says about the plain plot.
    """
    wanted = look or Look()
    if (found := _found(name)) is not None:
        if replace(wanted, title="", where="") != Look():
            raise UserError(
                f"{wanted.where}: figure.y, figure.log and figure.own are for the plain plot, but "
                f'figure.name is "{name}"; take them out, or set figure.name = ""'
            )
        return replace(found, printed=printed(name), title=wanted.title)
    from symlab.plot.generic import generic_figure

    return generic_figure(keys, replace(wanted, title=wanted.title or name))


def _found(name: str) -> Figure | None:
    """The figure that a module defines, alone or as one of its group."""
    group, _, member = name.rpartition("-")
    alone = getattr(_module(name), "FIGURE", None)
    found = alone or getattr(_module(group), "FIGURES", {}).get(member)
    return found if isinstance(found, Figure) else None


def is_known(name: str) -> bool:
    """Whether there is a figure `name`, other than the plain plot."""
    return _found(name) is not None


def caption_of(name: str) -> str:
    """Caption of the figure `name`: its own, or its module's first line, without the place in the
    paper. Empty if the figure has neither.
    """
    if (found := _found(name)) and found.caption:
        return found.caption
    first = (_module(name).__doc__ or "").partition("\n")[0] if _module(name) else ""
    place, colon, rest = first.partition(": ")
    shown = rest if colon and re.match("[A-Z]{3} ", place) else first
    return shown[:1].upper() + shown[1:]


def _module(name: str) -> ModuleType | None:
    module = "symlab.paper.figures." + re.sub(r"\W", "_", name)
    return importlib.import_module(module) if importlib.util.find_spec(module) else None


@contextmanager
def _same_everywhere() -> Iterator[None]:
    """Settings with which equal data and matplotlib version give equal bytes."""
    settings: Any = {"svg.hashsalt": "symlab", "svg.fonttype": "path", "font.family": "DejaVu Sans"}
    with matplotlib.rc_context():
        matplotlib.rcdefaults()  # otherwise the user's matplotlibrc would change the bytes
        matplotlib.rcParams.update(settings)
        yield


def rendered(figure: Figure, runs: pd.DataFrame) -> tuple[Axes, bytes]:
    """The axes with a figure, and the figure as SVG."""
    svg = io.BytesIO()
    with _same_everywhere():
        ax = drawn(figure, runs)
        canvas = FigureCanvasSVG(ax.get_figure(root=True))
        canvas.print_svg(svg, metadata={"Date": None, "Creator": None})
    return ax, svg.getvalue()


def render(figure: Figure, runs: pd.DataFrame) -> tuple[bytes, bytes]:
    """A figure as SVG and PNG."""
    ax, svg = rendered(figure, runs)
    png = io.BytesIO()
    with _same_everywhere():
        canvas = ax.get_figure(root=True)
        assert canvas is not None
        canvas.set_dpi(PNG_DOTS_PER_INCH)
        FigureCanvasAgg(canvas).print_png(png, metadata={"Software": None})
    return svg, png.getvalue()


def drawn(figure: Figure, runs: pd.DataFrame) -> Axes:
    """The axes with the figure: its curves, failed runs, numbers of the paper, title and legend."""
    data = figure.series(runs)
    ax = Canvas(figsize=SIZE_INCHES, layout="constrained").add_subplot()
    overlay(ax, figure.printed)  # first, so that the legend that `draw` makes has them
    if figure.failures:
        figure.failures(ax, runs)
    figure.draw(ax, data)
    if figure.title:
        ax.set_title(figure.title)
    if ax.get_legend() is None and ax.get_legend_handles_labels()[1]:
        add_legend(ax)
    _show_literally(ax)
    return ax


def _show_literally(ax: Axes) -> None:
    """Labels show names and values of the user, in which "$" begins no formula."""
    legend = ax.get_legend()
    entries = [*legend.get_texts(), legend.get_title()] if legend else []
    for text in (ax.title, ax.xaxis.label, ax.yaxis.label, *ax.texts, *entries):
        text.set_parse_math(False)


def save_figure(figure: Figure, runs: pd.DataFrame, folder: Path, name: str) -> list[Path]:
    """Writes <name>.svg and <name>.png into `folder`; returns their paths.

    Raises OutputError, or UserError if the runs lack a column.
    """
    svg, png = render(figure, runs)
    paths = [folder / f"{name}.svg", folder / f"{name}.png"]
    write_atomically(paths[0], svg)
    write_atomically(paths[1], png)
    return paths


def finished(runs: pd.DataFrame, columns: list[str]) -> pd.DataFrame:
    """The rows of finished runs. Raises UserError if the table lacks one of `columns`."""
    missing = [column for column in [*columns, "status"] if column not in runs]
    if missing and (runs.get("status", pd.Series(dtype=object)) == "finished").any():
        raise UserError(f"the runs have no column {', '.join(missing)}; has the guest changed?")
    if missing:
        return pd.DataFrame({column: pd.Series(dtype=float) for column in [*columns, "status"]})
    return runs[runs["status"] == "finished"]


def transactions_of(runs: pd.DataFrame, *activities: str) -> pd.Series:
    """Number of bus transactions of all kinds in the given activities, one value per run.

    `activities`: some of `table.COUNTED_ACTIVITIES`.
    """
    kinds = [
        column
        for column in map(str, runs)
        if column.endswith("_transactions")
        and column.startswith(tuple(f"{a}_" for a in activities))
    ]
    return runs[kinds].sum(axis=1)
