# SPDX-License-Identifier: MIT
"""A paper, its claims, and the sweeps of configs/figures/ that reproduce its figures."""

import importlib
import re
from dataclasses import dataclass
from pathlib import Path

from symlab import grid
from symlab.errors import UserError
from symlab.figure import Figure, caption_of, find_figure

CONFIGS = Path("configs/figures")
KINDS = ("table", "figure", "section")  # their order among parts with the same number


@dataclass(frozen=True)
class Row:
    """A claim. `statement`: the paper's statement in our words.

    `paper`: the paper's value with its unit; empty if the claim is an order or a shape. `cause`:
    why the claim fails in the simulation, empty if it does not. `page`: file in docs/ with more
    about the cause.
    """

    id: str
    statement: str
    paper: str = ""
    cause: str = ""
    page: str = ""


@dataclass(frozen=True)
class Paper:
    """A paper. `name`: of its folders in configs/figures/ and results/. `rows`: its claims."""

    name: str
    citation: str
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class Part:
    """A figure, table or section of a paper: its sweep, and the figure drawn from the runs."""

    file: grid.SweepFile
    figure: Figure

    @property
    def name(self) -> str:
        return self.file.name

    @property
    def title(self) -> str:
        """`Figure 3.1, compiler`."""
        kind, number, *rest = self.name.split("-", 2)
        return ", ".join([f"{kind.capitalize()} {number}", *rest])

    @property
    def caption(self) -> str:
        return caption_of(self.file.figure or self.name)


def find_paper(name: str) -> Paper:
    """The paper defined in symlab/papers/<name>.py. Raises UserError if there is none."""
    known = sorted(file.stem for file in Path(__file__).parent.glob("papers/[!_]*.py"))
    if name not in known:
        raise UserError(f"{name}: no paper of this name; known: {', '.join(known)}")
    paper = importlib.import_module(f"symlab.papers.{name}").PAPER
    assert isinstance(paper, Paper)
    return paper


def parts(paper: Paper, only: str | None = None) -> list[Part]:
    """The parts of the paper in the paper's order.

    `only`: selects parts. `4.1` selects all sweeps of Table, Figure and Section 4.1; `figure-4.1`
    selects a single sweep. Raises UserError if no part remains.
    """
    files = sorted((CONFIGS / paper.name).glob("*.toml"), key=lambda file: _place(file.stem))
    if not files:
        raise UserError(f"{CONFIGS / paper.name}: no configs there; run it where configs/ lies")
    chosen = [f for f in files if only in (None, f.stem, _number(f.stem))]
    if not chosen:
        numbers = ", ".join(dict.fromkeys(_number(file.stem) for file in files))
        raise UserError(f"--figure {only}: {paper.name} has none of this number; it has {numbers}")
    loaded = [grid.load(file) for file in chosen]
    return [Part(file, find_figure(file.figure or file.name, [])) for file in loaded]


def _number(stem: str) -> str:
    return stem.split("-")[1]


def _place(stem: str) -> tuple[list[int], int, str]:
    """Sort key by number, then kind: table-4.1, figure-4.1, figure-4.2, section-4.4-creates."""
    kind, number = stem.split("-")[:2]
    return [int(n) for n in re.findall(r"\d+", number)], KINDS.index(kind), stem
