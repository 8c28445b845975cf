# SPDX-License-Identifier: MIT
"""The pages papers/<PAPER>/pages/NAME.md: each is rendered from the template NAME.md.j2 beside it.

A template is Markdown with its numbers, which are expressions of Jinja in the vocabulary of
`Words`. Frames in it are those of pandas.
"""

import traceback
from pathlib import Path

import jinja2
from symlab import places
from symlab.errors import UserError
from symlab.files import write_all

from symlab_papers.paper import PAPERS
from symlab_papers.words import Words

END = ".j2"


def folder_of(paper: str) -> Path:
    return PAPERS / paper / "pages"


def pages_of(paper: str) -> list[str]:
    """The names of a paper's pages."""
    templates = (places.ROOT / folder_of(paper)).glob(f"*.md{END}")
    return sorted(file.name.removesuffix(END) for file in templates)


def current(paper: str, page: str, out: Path | None = None) -> str:
    """The text of a page from the results. `out`: as for `results_of`. Raises UserError."""
    folder = folder_of(paper)
    if not (folder / (page + END)).is_file():
        raise UserError(
            f"{folder / (page + END)}: cannot be read: No such file or directory; run it in a "
            "folder that contains papers/"
        )
    words, pages = Words(paper, out), environment(folder)
    pages.globals.update(words.all())
    pages.filters.update(words.filters())
    note = f"<!-- Written by symlab from {page}{END}, which has the text. -->\n\n"
    try:
        return note + pages.get_template(page + END).render()
    except UserError:
        raise
    except Exception as error:
        raise UserError(f"{_place(folder / (page + END), error)}: {error!r}") from error


def environment(folder: Path) -> jinja2.Environment:
    """For templates of Markdown in this folder: an undefined name is an error."""
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(folder), undefined=jinja2.StrictUndefined,
        extensions=["jinja2.ext.do"], trim_blocks=True, lstrip_blocks=True,
        keep_trailing_newline=True,
    )  # fmt: skip


def update(paper: str, out: Path | None = None) -> list[Path]:
    """Writes all pages of the paper from the results; returns their paths. `out`: as for
    `results_of`. Raises UserError, OutputError."""
    if not pages_of(paper):
        raise UserError(f"{folder_of(paper)}: no pages there; only the tree of symsim has them")
    files = {page: current(paper, page, out).encode() for page in pages_of(paper)}
    return write_all(folder_of(paper), files)


def _place(template: Path, error: Exception) -> str:
    """The line of a template at which an error arose."""
    if isinstance(error, jinja2.TemplateSyntaxError):
        return f"{template}:{error.lineno}"
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename.endswith(END)]
    return f"{template}:{lines[0]}" if lines else str(template)
