# SPDX-License-Identifier: MIT
"""Each figure of results/ is that of its table, and shows what it draws.

Its curves are inside the axes and large enough to be seen, its legend and its numbers hide nothing.
"""

import sys
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.patches import Rectangle
from matplotlib.text import Text
from matplotlib.transforms import Bbox
from test_figure_looks import looks

ROOT = Path(__file__).parents[2]

sys.path.insert(0, str(ROOT / "scripts"))
import figures  # noqa: E402

PUBLISHED = [*figures.published([])]

LEAST_SPAN = 0.3  # of the axes, by all curves together
LEAST_CURVE = 0.05  # of the axes, by each curve of several points
LEAST_BAR = 0.004
EDGE = 0.002  # of the axes, to which a point may lie outside
NOTHING = {"ALL/section-3.1-idle"}  # all its values are zero
# The equation is drawn on, where nothing but its falling is to be seen.
CUT = {"MTH/figure-6"}

every_figure = pytest.mark.parametrize("one", PUBLISHED, ids=lambda one: one.name)


def panels(one: figures.Published) -> list[Axes]:
    """The axes of the figure, which is drawn once for all tests."""
    figure = one.rendered[0].get_figure(root=True)
    if not hasattr(figure.canvas, "get_renderer"):  # what is laid out is where it is seen
        FigureCanvasAgg(figure).draw()
    return figure.axes


@every_figure
def test_a_committed_figure_is_that_of_the_table_beside_it(one):
    for path, content in one.files().items():
        assert path.read_bytes() == content, "stale: run scripts/figures.py"


def test_each_committed_figure_has_a_table():
    drawn = {path for one in PUBLISHED for path in one.files() if path.suffix == ".svg"}
    folders = {path.parent for path in drawn}
    assert drawn == {path for folder in folders for path in folder.glob("*.svg")}
    assert len(folders) == 7


@every_figure
def test_no_two_curves_of_a_figure_share_a_colour_and_a_line(one):
    found = looks(one.rendered[0])
    assert len(set(found)) == len(found), one.rendered[0].get_legend_handles_labels()[1]


def points(ax: Axes) -> list[np.ndarray]:
    """The points of each curve, in parts of the axes. Lines across the axes are no curves."""
    lines = [line for line in ax.lines if line.get_transform() == ax.transData]
    lines = [line for line in lines if not line.get_label().startswith("paper: ")]
    data = [line.get_xydata() for line in lines]
    data += [np.asarray(marks.get_offsets()) for marks in ax.collections]
    shown = [ax.transAxes.inverted().transform(ax.transData.transform(each)) for each in data]
    return [each[np.isfinite(each).all(axis=1)] for each in shown if len(each)]


def bars(ax: Axes) -> list[Bbox]:
    """The place of each bar that is not zero, in parts of the axes."""
    found = [one for one in ax.patches if isinstance(one, Rectangle) and one.get_visible()]
    full = [bar for bar in found if bar.get_width() and bar.get_height()]
    return [bar.get_window_extent().transformed(ax.transAxes.inverted()) for bar in full]


@every_figure
def test_all_curves_are_inside_the_axes_and_large_enough_to_be_seen(one):
    for ax in panels(one):
        curves, rectangles = points(ax), bars(ax)
        corners = [np.array(box.get_points()) for box in rectangles]
        if not curves and not corners:
            assert len(panels(one)) > 1, "nothing is drawn"  # the second scale of an axis
            continue
        everything = np.concatenate(curves + corners)
        if one.name not in CUT:
            tops = (
                everything if not corners else np.concatenate([*curves, *(c[1:] for c in corners)])
            )
            assert (tops >= -EDGE).all() and (tops <= 1 + EDGE).all(), "cut off by the axes"
        if one.name not in NOTHING:
            from_zero = ax.get_yscale() == "linear" and ax.get_ylim()[0] == 0
            bottom = 0.0 if from_zero else everything[:, 1].min()
            assert everything[:, 1].max() - bottom >= LEAST_SPAN, "squeezed"
            xs = everything[:, 0]
            assert len({*xs.round(6)}) == 1 or np.ptp(xs) >= LEAST_SPAN, "squeezed"
        for curve in curves:
            assert len(curve) < 2 or np.ptp(curve, axis=0).max() >= LEAST_CURVE
        for box in rectangles:
            assert min(box.width, box.height) >= LEAST_BAR, "a bar too small to be seen"


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


def texts(ax: Axes) -> list[Text]:
    """Labels of axes and ticks, numbers at bars and points."""
    return [
        one
        for one in (*tick_labels(ax), *ax.texts, ax.xaxis.label, ax.yaxis.label)
        if one.get_text()
    ]


def covers(box: Bbox, other: Bbox) -> bool:
    """Whether they have more in common than an edge."""
    shared = Bbox.intersection(box, other)
    return shared is not None and shared.width > 1 and shared.height > 1


@every_figure
def test_the_legend_is_in_the_figure_and_hides_nothing(one):
    for ax in panels(one):
        if (legend := ax.get_legend()) is None:
            continue
        box, figure = legend.get_window_extent(), ax.get_figure(root=True).bbox
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


@every_figure
def test_no_two_texts_of_a_figure_overlap_and_none_is_cut_off(one):
    for ax in panels(one):
        figure = ax.get_figure(root=True).bbox
        shown = [(text.get_text(), text.get_window_extent()) for text in texts(ax)]
        for words, box in shown:
            assert box.x0 >= -1 and box.x1 <= figure.x1 + 1, f"{words} is cut off"
            assert box.y0 >= -1 and box.y1 <= figure.y1 + 1, f"{words} is cut off"
        for (one, box), (other, its) in combinations(shown, 2):
            assert not covers(box, its), f"{one} is over {other}"
