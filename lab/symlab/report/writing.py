# SPDX-License-Identifier: MIT
"""Makes the page for the folders named on the command line and writes it to a file."""

from collections.abc import Sequence
from pathlib import Path

from symlab.errors import UserError
from symlab.report.comparison import comparison_page
from symlab.report.page import Page, render
from symlab.report.run_data import load_run
from symlab.report.run_page import run_page
from symlab.report.sweep_data import is_sweep, load_sweep
from symlab.report.sweep_page import sweep_page
from symlab.store import write_atomically

NAME = "report.html"


def write_report(folders: Sequence[str | Path], out: str | Path | None = None) -> Path:
    """Writes the page about a run, a sweep, or two runs compared; returns its path.

    `out`: path of the file. The default is report.html in the folder, or for two runs
    compared-with-<B>.html in the folder of the first. Raises UserError, OutputError.
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
    """The page for these folders, and the default path of its file."""
    if len(paths) == 2:
        for path in paths:
            if is_sweep(path) and not (path / "summary.json").is_file():
                raise UserError(f"{path}: is a sweep; two runs can be compared, not sweeps")
        a, b = (load_run(path) for path in paths)
        return comparison_page(a, b), paths[0] / f"compared-with-{b.name}.html"
    if len(paths) > 2:
        raise UserError(f"{len(paths)} folders; give a run, a sweep, or two runs to compare")
    [folder] = paths
    if is_sweep(folder) and not (folder / "summary.json").is_file():
        return sweep_page(load_sweep(folder), folder), folder / NAME
    return run_page(load_run(folder)), folder / NAME
