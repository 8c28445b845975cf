#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws the published figures again from the tables beside them; nothing is simulated.

    .venv/bin/python scripts/figures.py [FOLDER ...]

FOLDER: a paper, or a folder of configs/figures/, such as nodes [all]. Figures whose data are kept,
as <name>.csv, get these again, too. `symlab paper PAPER claims` also judges a paper's claims.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pandas as pd
from matplotlib.axes import Axes
from symlab.guest import catalogue
from symlab.plot.figure import Figure, find_figure
from symlab.plot.render import rendered
from symlab.results.loading import read_runs
from symlab.runs import grid
from symlab_papers.paper import results_of

ROOT = Path(__file__).resolve().parents[1]
NOT_KEPT = {"locks"}  # folders whose figures are not; docs/pictures/all-locks.svg shows that table


@dataclass(frozen=True)
class Published:
    """The figure of one sweep. `name`: <folder>/<sweep>. `stem`: of its files, without ending.

    Config and table are read when they are asked for: a list of the figures costs nothing.
    """

    name: str
    stem: Path
    config: Path

    @cached_property
    def runs(self) -> pd.DataFrame:
        return read_runs(self.stem.parent, self.stem.name)

    @cached_property
    def figure(self) -> Figure:
        file = grid.load(self.config)
        keys = [key for key in ("processors", "lock", "barrier", "strategy") if key in self.runs]
        return find_figure(file.figure or file.name, keys)

    @cached_property
    def rendered(self) -> tuple[Axes, bytes]:
        """Its axes, and the figure as SVG."""
        return rendered(self.figure, self.runs)

    def files(self) -> dict[Path, bytes]:
        """What is kept of it in results/."""
        found = (
            {}
            if self.stem.parent.name in NOT_KEPT
            else {self.stem.with_name(f"{self.stem.name}.svg"): self.rendered[1]}
        )
        if self.figure.tidy:
            found[self.stem.with_name(f"{self.stem.name}.csv")] = self.figure.csv(self.runs)
        return found


def published(folders: list[str]) -> Iterator[Published]:
    """The figures of the sweeps that have left a table."""
    for item in catalogue.items("figures"):
        group, _, name = item.name.partition("/")
        if (folders and group not in folders) or not grid.is_sweep(item.file):
            continue
        folder = ROOT / results_of(group)
        if (folder / f"{name}.csv").is_file():
            yield Published(item.name, folder / name, item.file)


def main(folders: list[str]) -> None:
    for one in published(folders):
        for path, content in one.files().items():
            if not path.is_file() or path.read_bytes() != content:
                path.write_bytes(content)
                print(f"wrote {path.relative_to(ROOT)}")


if __name__ == "__main__":
    main(sys.argv[1:])
