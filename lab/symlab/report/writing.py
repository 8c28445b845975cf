# SPDX-License-Identifier: MIT
"""From the folders named on the command line to the file of the page."""

from collections.abc import Sequence
from pathlib import Path

from symlab.errors import UserError
from symlab.report.page import Page, render
from symlab.report.run_data import load_run
from symlab.report.run_page import run_page
from symlab.store import write_atomically

NAME = "report.html"


def write_report(folders: Sequence[str | Path], out: str | Path | None = None) -> Path:
    """Writes the page about a run's folder and returns where it is.

    `out`: the file, default report.html in the folder. Raises UserError, OutputError.
    """
    paths = [Path(folder) for folder in folders]
    for path in paths:
        if not path.is_dir():
            raise UserError(f"{path}: there is no such folder; give that of a run or of a sweep")
    page, default = _page(paths)
    target = Path(out) if out is not None else default
    write_atomically(target, render(page))
    return target


def _page(paths: list[Path]) -> tuple[Page, Path]:
    [folder] = paths
    return run_page(load_run(folder)), folder / NAME
