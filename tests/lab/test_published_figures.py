# SPDX-License-Identifier: MIT
"""Each figure of results/ is that of its table, and shows what it draws.

Its curves are inside the axes and large enough to be seen, its legend and its numbers hide nothing.
"""

import sys
from pathlib import Path

import pytest
from figure_checks import curves_are_seen, is_empty, legend_hides_nothing, texts_are_apart
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from test_figure_looks import looks

ROOT = Path(__file__).parents[2]

sys.path.insert(0, str(ROOT / "scripts"))
import figures  # noqa: E402

PUBLISHED = [*figures.published([])]

NOTHING = {"ALL/section-3.1-idle"}  # all its values are zero
# The equation is drawn on, where nothing but its falling is to be seen.
CUT = {"MTH/figure-6"}

every_figure = pytest.mark.parametrize("one", PUBLISHED, ids=lambda one: one.name)


def panels(one: figures.Published) -> list[Axes]:
    """The axes of the figure, which is drawn once for all tests."""
    figure = one.rendered[0].get_figure(root=True)
    assert figure is not None
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


@every_figure
def test_all_curves_are_inside_the_axes_and_large_enough_to_be_seen(one):
    drawn = [ax for ax in panels(one) if not is_empty(ax)]
    assert drawn
    for ax in drawn:
        curves_are_seen(ax, one.name in CUT, one.name in NOTHING)


@every_figure
def test_the_legend_is_in_the_figure_and_hides_nothing(one):
    for ax in panels(one):
        legend_hides_nothing(ax)


@every_figure
def test_no_two_texts_of_a_figure_overlap_and_none_is_cut_off(one):
    for ax in panels(one):
        texts_are_apart(ax)
