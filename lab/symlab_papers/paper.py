# SPDX-License-Identifier: MIT
"""A paper: the folder papers/<name>, its claims, and the sweeps that reproduce its figures."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from symlab import places
from symlab.errors import UserError
from symlab.plot.figure import Figure, find_figure
from symlab.runs import grid

from symlab_papers.finding import caption_of
from symlab_papers.rows import Row, content, rows

PAPERS = Path("papers")
KINDS = ("table", "figure", "section")  # their order among parts with the same number


@dataclass(frozen=True)
class Paper:
    """A paper. `name`: of its folder. `rows`: its claims. `title`: as readers know it, by its
    authors. `headlines`: ids of its main conclusions. `left_out`: why other claims that fail are
    not among them."""

    name: str
    title: str
    citation: str
    rows: tuple[Row, ...]
    headlines: tuple[str, ...]
    left_out: str


@dataclass(frozen=True)
class Part:
    """A figure, table or section of a paper: its sweep, and the figure drawn from the runs."""

    file: grid.SweepFile
    figure: Figure

    @property
    def name(self) -> str:
        return self.file.name

    def size(self, name: str) -> Mapping[str, Any]:
        """The overrides of the table `[sweep.<name>]` in the part's config; empty without it.

        quick: shortens the sweep to seconds; its data do not suffice for a verdict. reduced:
        short runs that do suffice to measure the spread or the sensitivity.
        """
        return self.file.sizes.get(name, {})

    @property
    def title(self) -> str:
        """`Figure 3.1, compiler`."""
        kind, number, *rest = self.name.split("-", 2)
        return ", ".join([f"{kind.capitalize()} {number}", *rest])

    @property
    def caption(self) -> str:
        return caption_of(self.file.figure or self.name)


def known() -> list[str]:
    """The names of all papers."""
    return sorted(file.parent.name for file in places.PAPERS.glob("*/paper.toml"))


@cache
def find_paper(name: str) -> Paper:
    """The paper of papers/<name>/paper.toml. Raises UserError if there is none."""
    if name not in known():
        raise UserError(f"{name}: no paper of this name; known: {', '.join(known())}")
    has = content(name)
    claims, headlines = tuple(rows(name).values()), tuple(has["headlines"])
    return Paper(name, has["title"], has["citation"], claims, headlines, has["left_out"])


def results_of(group: str, out: Path | None = None) -> Path:
    """The folder with the results of a paper, or of another group of sweeps: the one that the tree
    keeps, or one below `out`."""
    if out is None and (places.PAPERS / group).is_dir():
        return PAPERS / group / "results"
    return (out or Path("results")) / group


def parts(paper: Paper, only: str | None = None) -> list[Part]:
    """The parts of the paper in the paper's order. Configs of single runs are none. `only`: selects
    parts. `4.1` selects all sweeps of Table, Figure and Section 4.1; `figure-4.1` selects a single
    sweep. Raises UserError if no part remains."""
    folder = places.find(PAPERS / paper.name / "figures")
    sweeps = filter(grid.is_sweep, folder.glob("*.toml"))
    files = sorted(sweeps, key=lambda file: _place(file.stem))
    if not files:
        raise UserError(f"{folder}: no configs there; run it in a folder that contains papers/")
    chosen = [f for f in files if only in (None, f.stem, _number(f.stem))]
    if not chosen:
        numbers = ", ".join(dict.fromkeys(_number(file.stem) for file in files))
        raise UserError(f"--figure {only}: {paper.name} has none of this number; it has {numbers}")
    loaded = [grid.load(file) for file in chosen]
    return [Part(file, find_figure(file.figure or file.name, [], file.look)) for file in loaded]


def _number(stem: str) -> str:
    return stem.split("-")[1]


def _place(stem: str) -> tuple[list[int], int, str]:
    """Sort key by number, then kind: table-4.1, figure-4.1, figure-4.2, section-4.4-creates."""
    kind, number = stem.split("-")[:2]
    return [int(n) for n in re.findall(r"\d+", number)], KINDS.index(kind), stem
