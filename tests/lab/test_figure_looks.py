# SPDX-License-Identifier: MIT
"""All figures: their curves differ, failed runs are marked, the paper's numbers are drawn."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from matplotlib.container import BarContainer
from matplotlib.figure import Figure as Canvas
from matplotlib.patches import Patch
from symlab.errors import UserError
from symlab.guest import catalogue
from symlab.plot.figure import find_figure
from symlab.plot.look import Look
from symlab.plot.render import drawn, render
from symlab.plot.styles import styles_of
from symlab.plot.ticks import label, rounded
from symlab.results.loading import read_runs
from symlab.runs import grid
from symlab_papers.finding import all_printed
from symlab_papers.paper import results_of

ROOT = Path(__file__).parents[2]
CONFIGS = [i.file for i in catalogue.items("figures") if grid.is_sweep(i.file)]


def folder_of(config: Path) -> Path:
    return ROOT / results_of(grid.load(config).group)


DRAWN = [config for config in CONFIGS if (folder_of(config) / f"{config.stem}.csv").is_file()]


def looks(ax: Axes) -> list[tuple[object, ...]]:
    """Colour and line of each entry of the legend; of a marker without a line, the marker."""
    found: list[tuple[object, ...]] = []
    handle: Any
    for handle, name in zip(*ax.get_legend_handles_labels(), strict=True):
        if isinstance(handle, BarContainer):
            found.append((to_hex(handle.patches[0].get_facecolor()), "bar"))
        elif hasattr(handle, "get_linestyle"):
            line = getattr(handle, "_unscaled_dash_pattern", handle.get_linestyle())
            plain = handle.get_linestyle() in ("None", "")
            shown = handle.get_marker() if plain else str(line)
            colour = handle.get_edgecolor if isinstance(handle, Patch) else handle.get_color
            found.append((to_hex(colour()), shown))
        assert name
    return found


def sweep(config: Path) -> tuple[object, pd.DataFrame]:
    file = grid.load(config)
    runs = read_runs(folder_of(config), config.stem)
    keys = [k for k in ("processors", "lock", "barrier", "strategy") if k in runs]
    return find_figure(file.figure or file.name, keys), runs


def plain(names: list[str]) -> Axes:
    rows = [(p, name, float(p + n)) for n, name in enumerate(names) for p in (1, 2, 4)]
    runs = pd.DataFrame(rows, columns=["processors", "lock", "elapsed_us"])
    figure = find_figure("no-such-figure", ["processors", "lock"])
    ax = Canvas().add_subplot()
    figure.draw(ax, figure.series(runs.assign(status="finished")))
    return ax


@pytest.mark.parametrize("count", [2, 8, 24])
@pytest.mark.parametrize("name", ["lock{}", "mine-{}", "size={}, lock=read"])
def test_no_two_of_24_curves_of_a_plain_plot_share_a_colour_and_a_line(name, count):
    found = looks(plain([name.format(n) for n in range(count)]))
    assert len(found) == count and len(set(found)) == count


@pytest.mark.filterwarnings("error")  # of matplotlib, if the legend leaves no room for the axes
def test_a_legend_of_a_thousand_curves_names_the_first_and_counts_the_rest():
    figure = find_figure("no-such-figure", ["processors", "increments"])
    rows = [(p, n, float(p + n), "finished") for n in range(1000) for p in (1, 2)]
    runs = pd.DataFrame(rows, columns=["processors", "increments", "elapsed_us", "status"])
    svg, _ = render(figure, runs)
    assert svg.startswith(b"<?xml")
    named = [text.get_text() for text in drawn(figure, runs).get_legend().get_texts()]
    assert named[::30] == ["0", "and 970 more"]


def test_all_locks_beside_a_lock_of_the_user_differ():
    locks = [lock.name for lock in catalogue.items("locks") if not lock.special]
    found = looks(plain([*locks, "mine"]))
    assert len(found) == len(locks) + 1 == len(set(found))


RUNS = pd.DataFrame(
    [
        (p, lock, None if failed else 10.0 * p, failed or "finished")
        for lock, failures in [("mcs", {}), ("read", {4: "time-limit"}), ("mine", {1: "deadlock",
                               2: "deadlock", 4: "deadlock"})]
        for p in (1, 2, 4)
        for failed in [failures.get(p)]
    ],
    columns=["processors", "lock", "elapsed_us", "status"],
)  # fmt: skip


def crosses(ax: Axes) -> set[tuple[str, float]]:
    """Colour and x of each cross that marks a failed run."""
    lines = [one for one in ax.lines if one.get_transform() == ax.get_xaxis_transform()]
    return {
        (to_hex(one.get_color()), float(x)) for one in lines for x in np.asarray(one.get_xdata())
    }


def test_a_failed_run_has_a_cross_and_a_curve_without_finished_runs_its_status():
    figure = find_figure("no-such-figure", ["processors", "lock"])
    ax = Canvas().add_subplot()
    figure.draw(ax, figure.series(RUNS))
    styles = styles_of(["mcs", "mine", "read"])
    stuck, slow = styles["mine"].colour, styles["read"].colour
    assert crosses(ax) == {(stuck.lower(), p) for p in (1, 2, 4)} | {(slow.lower(), 4)}
    texts = [text.get_text() for text in ax.get_legend().get_texts()]
    assert texts == [styles["mcs"].label, styles["read"].label, "mine: deadlock", "time-limit"]


def test_a_plain_plot_of_nothing_but_failures_says_so():
    runs = RUNS[RUNS["lock"] == "mine"]
    ax = drawn(find_figure("no-such-figure", ["processors", "lock"]), runs)
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["mine: deadlock"]
    assert ax.get_xlabel() == "Processors"


@pytest.mark.parametrize("config", DRAWN, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_failed_run_is_marked_in_every_figure(config):
    figure, runs = sweep(config)
    last = runs.index[-1]
    runs = runs.assign(status=["deadlock" if at == last else s for at, s in runs.status.items()])
    texts = [text.get_text() for text in drawn(figure, runs).get_legend().get_texts()]
    assert any("deadlock" in text for text in texts), texts


def test_in_a_published_figure_a_lock_that_never_finishes_keeps_its_place_in_the_legend():
    figure, runs = sweep(ROOT / "papers/ALL/figures/figure-4.1.toml")
    stuck = runs.assign(status=runs["status"].where(runs["lock"] != "read", "deadlock"))
    texts = [text.get_text() for text in drawn(figure, stuck).get_legend().get_texts()]
    assert texts[-1] == "TTAS (read): deadlock" and "TTAS (read)" not in texts


def names_of_configs() -> set[str]:
    return {grid.load(config).figure or config.stem for config in CONFIGS}


@pytest.mark.parametrize("number", all_printed(), ids=lambda one: f"{one.figure} {one.text}")
def test_a_number_that_the_paper_prints_is_in_its_figure_and_in_the_legend(number):
    assert number.figure in names_of_configs()
    [config] = [c for c in DRAWN if grid.load(c).figure == number.figure]
    ax = drawn(*sweep(config))
    texts = [text.get_text() for text in ax.get_legend().get_texts()]
    assert number.label in texts and number.label.startswith("paper: ")
    [handle] = [line for line in ax.lines if line.get_label() == number.label]
    if number.y is not None:
        assert set(handle.get_ydata()) == {number.y}
        assert ax.get_ylim()[0] <= number.y <= ax.get_ylim()[1]
    if number.x:
        assert set(handle.get_xdata()) <= set(number.x)


def test_the_own_curve_is_thicker_and_first_and_the_others_keep_their_colours():
    look = Look(own=("mcs",), title="mine", log="both")
    figure = find_figure("no-such-figure", ["processors", "lock"], look)
    ax = drawn(figure, RUNS)
    lines = {line.get_label(): line for line in ax.lines}
    own, other = (lines[styles_of(["mcs", "read", "mine"])[name].label] for name in ("mcs", "read"))
    assert own.get_linewidth() > 2 * other.get_linewidth() and not own.get_alpha()
    assert to_hex(other.get_color()) != to_hex(own.get_color())
    assert ax.get_legend().get_texts()[0].get_text() == own.get_label()
    assert (ax.get_title(), ax.get_xscale(), ax.get_yscale()) == ("mine", "log", "log")
    assert list(ax.get_xticks()) == [1, 2, 4]
    assert ax.get_ylabel() == "Elapsed time (us)"


@pytest.mark.parametrize(
    ("look", "says"),
    [
        (Look(y="elapsed", where="c.toml"), "c.toml: figure.y: there is no column elapsed; did y"),
        (Look(y="lock", where="c.toml"), "figure.y: column lock has no numbers; the columns with"),
        (Look(own=("mcss",), where="c.toml"), "c.toml: figure.own: there is no curve mcss; did yo"),
    ],
)
def test_mistakes_in_the_look_of_a_figure_are_named(look, says):
    with pytest.raises(UserError, match=says):
        drawn(find_figure("no-such-figure", ["processors", "lock"], look), RUNS)


def test_a_published_figure_takes_a_title_and_nothing_else():
    assert find_figure("all-4.1", [], Look(title="mine")).title == "mine"
    for look in (Look(y="seconds"), Look(log="y"), Look(own=("read",))):
        with pytest.raises(UserError, match=r'for the plain plot, but figure.name is "all-4.1"'):
            find_figure("all-4.1", [], look)


@pytest.mark.parametrize(
    ("value", "spread", "text"),
    [
        (53_502.337, 0.0, "53,502"),
        (0.012345678, 0.0, "0.0123"),
        (17.0, 0.0, "17"),
        (17.849, 0.0, "17.8"),
        (53_502.337, 1_234.0, "53,500"),
        (53_502.337, 0.0123, "53,502.337"),
        (0.0, 0.0, "0"),
        (float("nan"), 0.0, ""),
        (-1234.5, 0.0, "-1,234"),
        (1e-9, 0.0, "0.00000000100"),
    ],
)
def test_numbers_have_the_digits_that_mean_something(value, spread, text):
    assert rounded(value, spread) == text


def test_columns_are_named_with_their_unit():
    names = ["elapsed_us", "lock_wait_us", "processors", "increments", "size_mb", "us"]
    assert [label(name) for name in names] == [
        "Elapsed time (us)", "Lock wait (us)", "Processors", "Increments", "Size (MB)", "Us",
    ]  # fmt: skip
