# SPDX-License-Identifier: MIT
"""The pages papers/<PAPER>/pages/*.md. Their tables and numbers are computed from results by the
module beside each, of the same name: `near-and-far.md` by near_and_far.py."""

import importlib
from pathlib import Path
from types import ModuleType

from symlab import places
from symlab.errors import UserError
from symlab.files import write_all

from symlab_papers.documents.data import Data
from symlab_papers.documents.markers import filled
from symlab_papers.paper import PAPERS


def folder_of(paper: str) -> Path:
    return PAPERS / paper / "pages"


def pages_of(paper: str) -> list[str]:
    """The names of a paper's pages."""
    return sorted(file.name for file in (places.ROOT / folder_of(paper)).glob("*.md"))


def current(paper: str, page: str, data: Data) -> str:
    """The text of a page with the tables and numbers of `data`. Raises UserError."""
    module, path = _module(paper, page), folder_of(paper) / page
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise UserError(
            f"{path}: cannot be read: {error.strerror}; run it in a folder that contains papers/"
        ) from error
    return filled(text, module.tables(data), module.numbers(data), str(path))


def update(paper: str, out: Path | None = None) -> list[Path]:
    """Puts the numbers of the results into all pages of the paper; returns their paths. `out`: as
    for `results_of`. Raises UserError, OutputError.
    """
    data = Data(out)
    if not pages_of(paper):
        raise UserError(f"{folder_of(paper)}: no pages there; only the tree of symsim has them")
    files = {page: current(paper, page, data).encode() for page in pages_of(paper)}
    return write_all(folder_of(paper), files)


def _module(paper: str, page: str) -> ModuleType:
    name = page.removesuffix(".md").replace("-", "_")
    return importlib.import_module(f"symlab_papers.papers.{paper}.pages.{name}")
