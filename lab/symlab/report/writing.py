# SPDX-License-Identifier: MIT
"""Makes the page for the folders named on the command line and writes it to a file."""

from collections.abc import Sequence
from pathlib import Path

from symlab.errors import UserError
from symlab.files import write_atomically
from symlab.report.comparison import comparison_page
from symlab.report.page import Page, render
from symlab.report.run_data import load_run
from symlab.report.run_page import run_page
from symlab.report.sweep_data import is_sweep, load_sweep
from symlab.report.sweep_page import sweep_page
from symlab.results.manifest import MANIFEST, flaw

# What code that relies on sound files raises if they are not.
UNFIT = (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError)
DOCTYPE = b"<!DOCTYPE html>"
HEAD_BYTES = 1000  # of a page; has the DOCTYPE


def write_report(folders: Sequence[str | Path], out: str | Path | None = None) -> Path:
    """Writes the page about a run, a sweep, or two runs compared; returns its path.

    `out`: path of the file. The default is report.html in the folder, or for two runs
    compared-with-<B>.html in the folder of the first. Raises UserError, also if `out` is a file
    that is not a page, and OutputError.
    """
    paths = [Path(folder) for folder in folders]
    try:
        page, default = _page(paths)
        text = render(page)
    except UNFIT as error:
        if not any(map(_may_be_damaged, paths)):
            raise
        names = " and ".join(map(str, paths))
        raise UserError(
            f"{names}: no page can be made of the files there ({type(error).__name__}: {error}); "
            "they are damaged, or of another version: make the runs again"
        ) from error
    target = Path(out) if out is not None else default
    _keep_others(target)
    write_atomically(target, text)
    return target


def _may_be_damaged(path: Path) -> bool:
    """Whether the folder's files are not known to be those that were written: then an error in
    reading them is none of symlab's."""
    return not (path / MANIFEST).is_file() or flaw(path) is not None


def _keep_others(target: Path) -> None:
    """Raises UserError if `target` exists and is not a page, such as a file of the run."""
    if not target.is_file():
        return
    with target.open("rb") as file:
        begin = file.read(HEAD_BYTES)
    if begin and DOCTYPE not in begin:
        raise UserError(f"--out {target}: this file exists and is not a page; name another file")


def _page(paths: list[Path]) -> tuple[Page, Path]:
    """The page for these folders, and the default path of its file."""
    if len(paths) > 2:
        raise UserError(f"{len(paths)} folders; give a run, a sweep, or two runs to compare")
    sweeps = [path for path in paths if is_sweep(path)]
    if len(paths) == 2 and sweeps:
        raise UserError(f"{sweeps[0]}: is a sweep; two runs can be compared, not sweeps")
    if sweeps:
        sweep = load_sweep(sweeps[0])
        return sweep_page(sweep), sweep.page
    for path in paths:
        if not path.is_dir():
            raise UserError(f"{path}: there is no such folder; give that of a run or of a sweep")
    runs = [load_run(path) for path in paths]
    if len(runs) == 2:
        return comparison_page(*runs), paths[0] / f"compared-with-{runs[1].name}.html"
    return run_page(runs[0]), paths[0] / "report.html"
