# SPDX-License-Identifier: MIT
"""The legend of a figure: inside the axes if it is short and covers no curve, else beside them."""

import math
from typing import Any

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import RendererAgg
from matplotlib.figure import Figure
from matplotlib.legend import Legend
from matplotlib.lines import Line2D
from matplotlib.transforms import Bbox

MOST_INSIDE = 6  # entries
MOST_NAMED = 30  # 35 do not fit into the height of the figure
SIZES = {9: "medium", 14: "small", 19: "x-small", math.inf: "xx-small"}  # most entries -> letters
CLOSE = {"labelspacing": 0.25}  # lines of the smallest letters
MARGIN_INCHES = 0.1


def add_legend(ax: Axes, **look: Any) -> None:
    """A legend of all that has a label; if nothing has one, there is none. `look`: of a legend
    inside the axes, as matplotlib's `Axes.legend` takes it. A long legend names the first curves
    and counts the others. Curves and limits of the axes must be there already."""
    handles, labels = ax.get_legend_handles_labels()
    if labels and len(labels) <= MOST_INSIDE:
        for letters in ({}, {"fontsize": "small"}):
            legend = ax.legend(**{"frameon": False} | look | letters)
            if fits(ax, legend) or _fits_at_the_end(ax, legend):
                return
    if (more := len(labels) - MOST_NAMED) > 1:
        handles[MOST_NAMED:] = [Line2D([], [], linestyle="")]
        labels[MOST_NAMED:] = [f"and {more} more"]
    if labels:
        _place_beside(ax, handles, labels)


def extent(legend: Legend) -> Bbox:
    """The place of a legend in its figure, in dots."""
    for text in legend.get_texts():
        text.set_parse_math(False)  # "$" in the name of a curve begins no formula
    figure = _figure_of(legend)
    return legend.get_window_extent(RendererAgg(1, 1, figure.dpi))


def _figure_of(part: Axes | Legend) -> Figure:
    found = part.get_figure(root=True)
    assert found is not None
    return found


def fits(ax: Axes, legend: Legend) -> bool:
    """Whether the legend is inside the axes, and no curve or bar is under it."""
    ax.autoscale_view()  # else the limits could be those before the last curve
    box = extent(legend)
    inside = ax.bbox.contains(box.x0, box.y0) and ax.bbox.contains(box.x1, box.y1)
    curves = [line for line in ax.lines if line.get_transform() == ax.transData]
    paths = [line.get_transform().transform_path(line.get_path()) for line in curves]
    bars = [patch.get_window_extent() for patch in ax.patches]
    free = not any(len(path) and path.intersects_bbox(box, filled=False) for path in paths)
    return inside and free and not any(bar.overlaps(box) for bar in bars)


def _fits_at_the_end(ax: Axes, legend: Legend) -> bool:
    """`fits` when the axes have their final size, which is larger. It is changed back."""
    figure, place = _figure_of(ax), ax.get_position(original=True)
    if (engine := figure.get_layout_engine()) is None:
        return False
    engine.execute(figure)
    found = fits(ax, legend)
    ax.set_position(place)
    ax.set_in_layout(True)
    return found


def _place_beside(ax: Axes, handles: list[Any], labels: list[str]) -> None:
    """Makes the figure as much wider as the legend is, so that the axes keep their width."""
    size = next(size for most, size in SIZES.items() if len(labels) <= most)
    place: dict[str, Any] = {"loc": "center left", "bbox_to_anchor": (1, 0.5)}
    place |= CLOSE if size == SIZES[math.inf] else {}
    legend = ax.legend(handles, labels, frameon=False, fontsize=size, **place)
    figure = _figure_of(ax)
    width, height = figure.get_size_inches()
    more = extent(legend).width / figure.dpi + MARGIN_INCHES
    figure.set_size_inches(width + math.ceil(10 * more) / 10, height)
