# SPDX-License-Identifier: MIT
"""Each notebook of docs/ runs to its end in an empty folder; its curve is the committed one."""

import json
import os
import sys
from pathlib import Path

import pandas as pd
import pytest

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "docs").rglob("*.ipynb"))

sys.path.insert(0, str(ROOT / "scripts"))
import notebooks  # noqa: E402

needs_simulator = pytest.mark.skipif(
    not os.environ.get("SYMSIM_BINARY"), reason="SYMSIM_BINARY names no simulator"
)


@needs_simulator
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_and_draws_the_committed_curve(path: Path, tmp_path: Path) -> None:
    drawn = notebooks.curve(notebooks.execute(path, tmp_path))
    for table in tmp_path.glob("results/*/*-host.csv"):  # of each sweep
        assert (pd.read_csv(table)["status"] == "finished").all(), table
    picture = notebooks.picture_of(path)
    if path.parent.name == "teaching":
        again = (
            f"scripts/notebooks.py {path} draws it again; the solution's numbers have changed, too"
        )
        assert drawn == picture.read_text(), again


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
