# SPDX-License-Identifier: MIT
"""What the lab is given of the papers, by the entry point in lab/pyproject.toml: their figures."""

from dataclasses import replace

from symlab.plot.figure import Figure

from symlab_papers.finding import found, printed
from symlab_papers.judging import claim_files


def find(name: str) -> Figure | None:
    """The figure `name`, with the numbers that the paper prints and the files of its claims."""
    figure = found(name)
    return figure and replace(figure, printed=printed(name), files_of=claim_files)
