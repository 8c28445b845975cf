# SPDX-License-Identifier: MIT
"""Draws figures and writes them as SVG and PNG."""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import matplotlib
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure as Canvas

from symlab.files import write_atomically
from symlab.plot.figure import Figure
from symlab.plot.legend import add_legend
from symlab.plot.marks import overlay

SIZE_INCHES = (5.0, 3.75)
PNG_DOTS_PER_INCH = 160


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
    """Writes <name>.svg and <name>.png into `folder`; returns their paths. Raises OutputError, or
    UserError if the runs lack a column."""
    svg, png = render(figure, runs)
    paths = [folder / f"{name}.svg", folder / f"{name}.png"]
    write_atomically(paths[0], svg)
    write_atomically(paths[1], png)
    return paths
