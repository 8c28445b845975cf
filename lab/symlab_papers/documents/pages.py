# SPDX-License-Identifier: MIT
"""The pages whose tables and numbers come from results/, and the modules that compute them."""

from collections.abc import Mapping
from pathlib import Path
from types import ModuleType

from symlab.errors import UserError
from symlab.files import write_all

from symlab_papers.documents import index, mth, mth_fails, near_and_far, numbers, urpc, wks
from symlab_papers.documents.data import Data
from symlab_papers.documents.markers import filled

# Paper -> folder of its pages, and the module of each.
FOLDERS: Mapping[str, Path] = {
    index.PAPER: index.FOLDER,
    wks.PAPER: wks.FOLDER,
    urpc.PAPER: urpc.FOLDER,
    mth.PAPER: mth.FOLDER,
}
PAGES: Mapping[str, Mapping[str, ModuleType]] = {
    index.PAPER: {"index.md": index, "numbers.md": numbers, **index.PAGES},
    wks.PAPER: {"index.md": wks},
    urpc.PAPER: {"index.md": urpc},
    mth.PAPER: {"index.md": mth, "fails.md": mth_fails, "near-and-far.md": near_and_far},
}


def current(paper: str, page: str, data: Data) -> str:
    """The text of a page with the tables and numbers of `data`. Raises UserError."""
    module, path = PAGES[paper][page], FOLDERS[paper] / page
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise UserError(
            f"{path}: cannot be read: {error.strerror}; run it in a folder that contains docs/"
        ) from error
    return filled(text, module.tables(data), module.numbers(data), str(path))


def update(paper: str, results: Path) -> list[Path]:
    """Puts the numbers of `results` into all pages of the paper; returns their paths.

    Raises UserError, OutputError.
    """
    data = Data(results)
    files = {page: current(paper, page, data).encode() for page in PAGES[paper]}
    return write_all(FOLDERS[paper], files)
