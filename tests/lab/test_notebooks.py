# SPDX-License-Identifier: MIT
"""Each notebook of docs/ runs to its end in an empty folder; its curve is the committed one."""

import json
import os
import sys
from pathlib import Path

import pandas as pd
import pytest
import solutions
from figure_checks import curves_are_seen, legend_hides_nothing, texts_are_apart
from matplotlib.backends.backend_agg import FigureCanvasAgg
from symlab import cc, sweep
from symlab.plot.finding import find_figure
from symlab.plot.render import rendered
from symlab.report.sweep_data import load_sweep
from test_figure_looks import looks

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "docs").rglob("*.ipynb"))

sys.path.insert(0, str(ROOT / "scripts"))
import notebooks  # noqa: E402


def shows_all(folder: Path) -> list[str]:
    """Asserts that the plain figure of a sweep, as it draws it, is readable; returns its legend."""
    sweep = load_sweep(folder)
    ax, svg = rendered(find_figure(sweep.name, sweep.keys, sweep.look), sweep.runs)
    assert (folder / f"{sweep.name}.svg").read_bytes() == svg
    FigureCanvasAgg(ax.get_figure(root=True)).draw()
    curves_are_seen(ax)
    legend_hides_nothing(ax)
    texts_are_apart(ax)
    found = looks(ax)
    assert len(set(found)) == len(found)
    legend = ax.get_legend()
    assert legend is not None
    return [text.get_text() for text in legend.get_texts()]


needs_simulator = pytest.mark.skipif(
    not os.environ.get("SYMSIM_BINARY"), reason="SYMSIM_BINARY names no simulator"
)


@needs_simulator
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_and_draws_the_committed_curve(path: Path, tmp_path: Path) -> None:
    drawn = notebooks.curve(notebooks.execute(path, tmp_path))
    for table in tmp_path.glob("results/*/*-host.csv"):  # of each sweep
        assert (pd.read_csv(table)["status"] == "finished").all(), table
        if path.parent.name == "teaching":
            shows_all(table.parent)
            solutions.OF_NOTEBOOK[path.stem](load_sweep(table.parent).runs)
    picture = notebooks.picture_of(path)
    if path.parent.name == "teaching":
        again = (
            f"scripts/notebooks.py {path} draws it again; the solution's numbers have changed, too"
        )
        assert drawn == picture.read_text(), again


@needs_simulator
@pytest.mark.parametrize("check", solutions.VARIED, ids=lambda check: check.__name__)
def test_the_variations_in_a_solution_have_the_numbers_that_it_says(check, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    check(tmp_path)


@needs_simulator
def test_the_first_variation_of_exercise_6_is_readable(tmp_path: Path, monkeypatch) -> None:
    """Each of its 24 curves is told apart, and the axes keep their width."""
    monkeypatch.chdir(tmp_path)
    cc("guest/workloads/store_buffering.c", output="store_buffering.elf")
    more = {"cache.write_buffer_depth": [1, 4], "cache.protocol": ["write-through", "write-back"]}
    few = {"machine.processors": [2, 4], "guest.args.rounds": 20}
    sweep("configs/teaching/store-buffering.toml", out="results/six", settings=more | few)
    names = shows_all(tmp_path / "results" / "six")
    assert len(names) == 24
    axes = ("store_policy", "fence", "write_buffer_depth", "protocol")
    assert all([part.partition("=")[0] for part in name.split(", ")] == [*axes] for name in names)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_kept_without_outputs(path: Path) -> None:
    code = [cell for cell in json.loads(path.read_text())["cells"] if cell["cell_type"] == "code"]
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in code)


@needs_simulator
def test_a_cell_that_fails_fails_the_notebook(tmp_path: Path) -> None:
    nbformat = notebooks.nbformat
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("1 / 0")])
    nbformat.write(book, tmp_path / "bad.ipynb")
    with pytest.raises(Exception, match="ZeroDivisionError"):
        notebooks.execute(tmp_path / "bad.ipynb", tmp_path)
