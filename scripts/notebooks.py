#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Executes notebooks of docs/ and writes the curve of each beside it, as pictures/NAME.svg.

    .venv/bin/python scripts/notebooks.py docs/teaching/*.ipynb

The notebooks are kept without outputs. The cell with the tag "curve" draws the curve. A test
executes all of them and compares the curves with those that are committed.
"""

import sys
import tempfile
from pathlib import Path

import nbformat
from nbclient import NotebookClient

TIMEOUT_S = 600  # of one cell

# Drawings as SVG with the same bytes on each host: no date, no random ids, no fonts of the host.
SETTINGS = """\
import matplotlib
%config InlineBackend.figure_formats = ["svg"]
%config InlineBackend.print_figure_kwargs = {"metadata": {"Date": None, "Creator": None}}
matplotlib.rcParams.update({"svg.hashsalt": "symlab", "svg.fonttype": "path"})
"""


def execute(path: Path, folder: Path) -> nbformat.NotebookNode:
    """Executes the notebook in `folder`; returns it with the outputs, drawings as SVG.

    Raises nbclient's CellExecutionError, which quotes the cell.
    """
    book = nbformat.read(path, as_version=4)
    book.cells.insert(0, nbformat.v4.new_code_cell(SETTINGS))
    place = {"metadata": {"path": str(folder)}}
    NotebookClient(book, timeout=TIMEOUT_S, kernel_name="python3", resources=place).execute()
    return book


def picture_of(path: Path) -> Path:
    """Where the curve of the notebook `path` is kept."""
    return path.parent / "pictures" / f"{path.stem}.svg"


def curve(book: nbformat.NotebookNode) -> str:
    """The drawing of the cell with the tag "curve" in an executed notebook, as SVG text."""
    (cell,) = (cell for cell in book.cells if "curve" in cell.metadata.get("tags", []))
    (drawing,) = (output.data["image/svg+xml"] for output in cell.outputs if "data" in output
                  and "image/svg+xml" in output.data)  # fmt: skip
    return drawing


def main(names: list[str]) -> None:
    for path in map(Path, names):
        with tempfile.TemporaryDirectory(prefix="notebook-") as folder:
            book = execute(path, Path(folder))
        picture = picture_of(path)
        picture.parent.mkdir(exist_ok=True)
        picture.write_text(curve(book), encoding="utf-8")
        print(f"wrote {picture}")


if __name__ == "__main__":
    main(sys.argv[1:])
