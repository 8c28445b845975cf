# SPDX-License-Identifier: MIT
"""Whether a figure that has been drawn shows what it draws: curves, legend, labels, numbers.

The figure must have been drawn by a canvas, so that all has its place.
"""

from itertools import combinations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle, StepPatch
from matplotlib.text import Text
from matplotlib.transforms import Bbox

LEAST_SPAN = 0.3  # of the axes, by all curves together
LEAST_CURVE = 0.05  # of the axes, by each curve of several points
LEAST_BAR = 0.004
LEAST_WIDTH = 3.0  # inches of the axes; a figure without a legend beside it has 5
EDGE = 0.002  # of the axes, to which a point may lie outside


def curves_are_seen(ax: Axes, cut: bool = False, nothing: bool = False) -> None:
    """Asserts that all points and bars are inside the axes and large enough to be seen.

    `cut`: the axes show a part of the curves. `nothing`: all values are zero.
    """
    curves, rectangles = points(ax), bars(ax)
    ends = [np.array([[bar.x1, bar.y1]]) for bar in rectangles]
    places = np.concatenate([*curves, *ends])
    assert cut or ((places >= -EDGE).all() and (places <= 1 + EDGE).all()), "cut off by the axes"
    assert ax.bbox.width / figure_of(ax).dpi >= LEAST_WIDTH, "no room is left for the axes"
    xs, ys = np.concatenate([*curves, *(bar.get_points() for bar in rectangles)]).T
    from_zero = ax.get_yscale() == "linear" and ax.get_ylim()[0] == 0
    bottom = 0.0 if from_zero else ys.min()
    assert nothing or ys.max() - bottom >= LEAST_SPAN, "squeezed"
    assert len({*xs.round(6)}) == 1 or np.ptp(xs) >= LEAST_SPAN, "squeezed"
    for curve in curves:
        assert len(curve) < 2 or np.ptp(curve, axis=0).max() >= LEAST_CURVE
    for bar in rectangles:
        assert min(bar.width, bar.height) >= LEAST_BAR, "a bar too small to be seen"


def figure_of(ax: Axes) -> Figure:
    found = ax.get_figure(root=True)
    assert found is not None
    return found


def legend_hides_nothing(ax: Axes) -> None:
    """Asserts that the legend is inside the axes or beside them, and over nothing."""
    if (legend := ax.get_legend()) is None:
        return
    box, figure = legend.get_window_extent(), figure_of(ax).bbox
    assert box.x0 >= 0 and box.x1 <= figure.x1 and box.y0 >= 0 and box.y1 <= figure.y1
    inside = ax.bbox.x0 <= box.x0 and box.x1 <= ax.bbox.x1
    assert inside or not covers(box, ax.bbox), "over the frame of the axes"
    for text in texts(ax):
        assert not covers(box, text.get_window_extent()), text.get_text()
    for curve in points(ax):
        dots = ax.transAxes.transform(curve)
        assert not any(box.contains(x, y) for x, y in dots), "over a point of a curve"
    for bar in bars(ax):
        assert not covers(box, bar.transformed(ax.transAxes)), "over a bar"


def texts_are_apart(ax: Axes) -> None:
    """Asserts that no label or number is over another one, or leaves the figure."""
    figure = figure_of(ax).bbox
    shown = [(text.get_text(), text.get_window_extent()) for text in texts(ax)]
    for words, box in shown:
        assert box.x0 >= -1 and box.x1 <= figure.x1 + 1, f"{words} is cut off"
        assert box.y0 >= -1 and box.y1 <= figure.y1 + 1, f"{words} is cut off"
    for (words, box), (other, its) in combinations(shown, 2):
        assert not covers(box, its), f"{words} is over {other}"


def is_empty(ax: Axes) -> bool:
    """Whether these are only the second scale of other axes."""
    return not points(ax) and not bars(ax)


def points(ax: Axes) -> list[np.ndarray]:
    """The points of each curve, in parts of the axes. Lines across the axes are no curves."""
    lines = [line for line in ax.lines if line.get_transform() == ax.transData]
    lines = [line for line in lines if not str(line.get_label()).startswith("paper: ")]
    data = [line.get_xydata() for line in lines]
    data += [np.asarray(marks.get_offsets()) for marks in ax.collections]
    steps = [patch for patch in ax.patches if isinstance(patch, StepPatch)]
    data += [patch.get_path().vertices for patch in steps]
    shown = [ax.transAxes.inverted().transform(ax.transData.transform(each)) for each in data]
    return [each[np.isfinite(each).all(axis=1)] for each in shown if len(each)]


def bars(ax: Axes) -> list[Bbox]:
    """The place of each bar that is not zero, in parts of the axes."""
    found = [one for one in ax.patches if isinstance(one, Rectangle)]
    full = [bar for bar in found if bar.get_width() and bar.get_height()]
    return [bar.get_window_extent().transformed(ax.transAxes.inverted()) for bar in full]


def texts(ax: Axes) -> list[Text]:
    """Labels of axes and ticks, numbers at bars and points."""
    found = [*tick_labels(ax), *ax.texts, ax.xaxis.label, ax.yaxis.label]
    return [text for text in found if text.get_text()]


def tick_labels(ax: Axes) -> list[Text]:
    """Those that are shown. The box of a slanted one is too large."""
    found = []
    for axis in (ax.xaxis, ax.yaxis):
        low, high = sorted(axis.get_view_interval())
        ticks = [tick for tick in axis.get_major_ticks() if low <= tick.get_loc() <= high]
        labels = [label for tick in ticks for label in (tick.label1, tick.label2)]
        shown = [label for label in labels if label.get_visible() and label.get_text()]
        found += [label for label in shown if label.get_rotation() in (0, 90)]
    return found


def covers(box: Bbox, other: Bbox) -> bool:
    """Whether they have more in common than an edge."""
    shared = Bbox.intersection(box, other)
    return shared is not None and shared.width > 1 and shared.height > 1
