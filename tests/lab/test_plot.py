# SPDX-License-Identifier: MIT
"""`symlab plot`: columns chosen or guessed, from a sweep's table or any CSV."""

from collections import Counter
from dataclasses import replace
from decimal import Decimal
from io import StringIO
from pathlib import Path

import pandas as pd
import pytest
from figure_checks import curves_are_seen, legend_hides_nothing, texts_are_apart
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from symlab.cli import app
from symlab.errors import UserError
from symlab.guest import catalogue
from symlab.plot import styles
from symlab.plot.generic import choose, draw, plot_table, series
from symlab.plot.look import Columns, Look, guessed
from typer.testing import CliRunner

RUNS = """processors,lock,increments,simulated_us,bus_utilisation,elapsed_us,status
1,read,100,15,0.25,10,finished
1,mcs,100,16,0.5,11,finished
20,read,100,105,0.75,100,finished
20,mcs,100,,,,deadlock
"""

MEASURED = """load,kind,latency_us,spread_us
0.5,a,10,1
0.9,a,90,2
0.5,b,11,1
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "runs.csv").write_text(RUNS)
    (tmp_path / "measured.csv").write_text(MEASURED)
    return tmp_path


def chosen(name: str, *args, **kwargs) -> Columns:
    return choose(pd.read_csv(name), *args, **kwargs)


def test_of_a_sweep_what_was_swept_and_the_elapsed_time_are_guessed(folder):
    assert chosen("runs.csv") == Columns("processors", "elapsed_us", ("lock",))


def test_of_another_table_the_last_numbers_are_y_and_what_varies_is_the_rest(folder):
    assert chosen("measured.csv") == Columns("load", "latency_us", ("kind",))
    assert chosen("measured.csv", y="load") == Columns("latency_us", "load", ("kind",))


def test_what_is_chosen_goes_before_the_guess(folder):
    assert chosen("runs.csv", y="bus_utilisation").y == "bus_utilisation"
    assert chosen("runs.csv", x="increments").by == ("processors", "lock")
    assert chosen("runs.csv", by=["increments"]).by == ("increments",)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("runs.csv --y elapsed", "no column elapsed; did you mean elapsed_us"),
        ("runs.csv --by locks", "no column locks; did you mean lock"),
        ("runs.csv --x lock", "column lock has no numbers; the columns with numbers: processors"),
        ("runs.csv --where lock=clh", "no row has that value; there are mcs, read"),
        ("runs.csv --where lock", "expected column=value"),
        ("runs.csv --log z", '--log: "z" does not fit; it must be "none", "x", "y", "both"'),
        ("runs.csv --own raed", "--own: there is no curve raed; did you mean read"),
        ("gone.csv", r"gone\.csv: cannot be read"),
        ("nowhere", "no table of a sweep is there"),
    ],
)
def test_mistakes_are_named_with_what_there_is(folder, words, says):
    with pytest.raises(UserError, match=says):
        CliRunner().invoke(app, ["plot", *words.split()], catch_exceptions=False)


def test_the_command_says_what_it_drew_and_leaves_the_figure_of_the_sweep(folder):
    (folder / "runs.svg").write_text("the sweep's own")
    result = CliRunner().invoke(app, ["plot", "runs.csv", "--where", "lock=read"])
    assert result.output.splitlines() == [
        "elapsed_us over processors",
        "wrote runs-elapsed_us.svg",
        "wrote runs-elapsed_us.png",
    ]
    assert (folder / "runs.svg").read_text() == "the sweep's own"
    result = CliRunner().invoke(app, ["plot", "measured.csv", "--out", "sub.d/mine.svg"])
    assert result.exit_code != 0, "there is no such folder"
    result = CliRunner().invoke(app, ["plot", "measured.csv", "--out", "mine.svg"])
    assert result.output.splitlines()[0] == "latency_us over load, a curve for each kind"
    assert (folder / "mine.svg").is_file() and (folder / "mine.png").is_file()


def test_a_folder_of_a_sweep_will_do(folder):
    (folder / "mine").mkdir()
    (folder / "mine" / "mine.csv").write_text(RUNS)
    columns, paths = plot_table(Path("mine"), y="bus_utilisation")
    assert (columns.x, paths[0]) == ("processors", Path("mine/mine-bus_utilisation.svg"))


def test_whole_numbers_get_whole_ticks(folder):
    runs = pd.read_csv("runs.csv")
    data = series(runs, choose(runs))
    axes = Figure().add_subplot()
    draw(axes, data)
    assert all(tick == round(tick) for tick in axes.get_xticks())


def test_ticks_are_at_multiples_of_1_2_or_5(folder):
    """Up to 20 processors matplotlib alone would put ticks at 2.5, 5, 7.5, and at 3, 6, 9."""
    for most, y in ((20, 100.0), (12, 30.0), (7, 0.3), (64, 2.5e6)):
        axes = Figure().add_subplot()
        data = pd.DataFrame({"x": [1.0, most], "y": [y / 7, y], "spread": 0.0, "curve": "read"})
        draw(axes, data.assign(x_name="processors", y_name="us"))
        for ticks in (axes.get_xticks(), axes.get_yticks()):
            step = Decimal(f"{ticks[1] - ticks[0]:.6g}").normalize()
            assert step.as_tuple().digits in ((1,), (2,), (5,)), (most, y, ticks)


def test_large_numbers_have_commas_and_small_ones_no_rounding_errors(folder):
    for y, text in ((400_000.0, "400,000"), (0.3, "0.3"), (4e6, "4,000,000")):
        axes = Figure().add_subplot()
        data = pd.DataFrame({"x": [1.0, 2.0], "y": [y / 4, y], "spread": 0.0, "curve": "read"})
        draw(axes, data.assign(x_name="processors", y_name="us"))
        assert text in axes.yaxis.get_major_formatter().format_ticks(list(axes.get_yticks()))


def test_a_new_lock_and_a_new_barrier_get_free_styles(monkeypatch):
    known = styles.style_of("mcs")
    items, prefixes = catalogue.items, {"locks": "new-lock", "barriers": "new-barrier"}

    def with_new(kind):
        found = items(kind)
        new = [f"{prefixes[kind]}-{n}" for n in range(3)] if kind in prefixes else []
        return [*found, *(replace(found[0], name=name) for name in new)]

    monkeypatch.setattr(catalogue, "items", with_new)
    styles._of_new.cache_clear()
    names = [f"{prefix}-{n}" for prefix in ("new-lock", "new-barrier") for n in range(3)]
    looks = [(s.colour, s.line, s.marker) for s in map(styles.style_of, names)]
    used = [(s.colour, s.line, s.marker) for s in styles.STYLES.values()]
    assert len(set(looks)) == len(names) and not set(looks) & set(used)
    assert styles.style_of("new-lock-1").label == "new-lock-1"
    assert styles.style_of("mcs") == known
    styles._of_new.cache_clear()


def test_curves_are_named_by_the_axes_that_vary_and_x_is_one_that_does():
    runs = pd.read_csv(StringIO(RUNS)).assign(protocol="write-back")
    keys = ["increments", "processors", "lock", "protocol"]
    assert guessed(runs, keys) == Columns("processors", "elapsed_us", ("lock",))
    assert set(series(runs, guessed(runs, keys))["curve"]) == {"read", "mcs"}
    alike = runs[(runs["processors"] == 1) & (runs["lock"] == "read")]
    assert guessed(alike, keys) == Columns(
        "increments", "elapsed_us", ("processors", "lock", "protocol")
    )


def test_colours_repeat_only_from_the_ninth_unknown_curve_on_and_none_is_a_cross():
    for count in (4, 8, 14, 24):
        found = styles.styles_of([f"size={n}" for n in range(count)]).values()
        colours = Counter(style.colour for style in found)
        assert len(colours) == min(count, 8) and max(colours.values()) == -(-count // 8)
        assert len({(style.colour, style.line) for style in found}) == count
        assert not {style.marker for style in found} & set("xX+")
    assert styles.style_of("an-own-lock").marker not in "xX+"


@pytest.mark.parametrize("count", [7, 14, 30])
def test_a_figure_grows_by_the_width_of_a_legend_beside_it(count):
    curve = [f"a-long-name-of-curve={n}" for n in range(count) for _ in "ab"]
    data = pd.DataFrame({"x": [1.0, 2.0] * count, "y": range(1, 2 * count + 1), "spread": 0.0})
    axes = Figure(figsize=(5, 3.75), layout="constrained").add_subplot()
    draw(axes, data.assign(curve=curve, x_name="processors", y_name="us"))
    FigureCanvasAgg(axes.figure).draw()
    curves_are_seen(axes)
    legend_hides_nothing(axes)
    assert axes.figure.get_size_inches()[0] > 6


@pytest.mark.parametrize("log", ["none", "both"])
def test_negative_values_and_long_numbers_have_their_place(log):
    for low, high in ((-8.0, -1.0), (-3.0, 5.0), (20_000.0, 3_000_000.0), (5.0, 5e8)):
        if log == "both" and low < 0:
            continue
        axes = Figure(figsize=(5, 3.75), layout="constrained").add_subplot()
        both = [low, (low + high) / 2, high]
        data = pd.DataFrame({"x": [abs(value) for value in both], "y": both, "spread": 0.0})
        draw(axes, data.assign(curve="read", x_name="increments", y_name="us"), Look(log=log))
        FigureCanvasAgg(axes.figure).draw()
        curves_are_seen(axes)
        texts_are_apart(axes)
