#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws the figures of results/ again from the tables beside them; nothing is simulated.

    .venv/bin/python scripts/figures.py [FOLDER ...]

FOLDER: of results/, such as nodes [all that configs/figures/ has]. Figures whose data are kept, as
<name>.csv, get these again, too. `symlab reproduce PAPER --gather` also judges a paper's claims.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pandas as pd
from matplotlib.axes import Axes
from symlab.plot.figure import Figure
from symlab.plot.finding import find_figure
from symlab.plot.render import rendered
from symlab.results.loading import read_runs
from symlab.runs import grid

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "results"
NOT_KEPT = {"locks"}  # folders whose figures are not; docs/pictures/all-locks.svg shows that table


@dataclass(frozen=True)
class Published:
    """The figure of one sweep of configs/figures/. `name`: <folder>/<sweep>."""

    name: str
    figure: Figure
    runs: pd.DataFrame

    @cached_property
    def rendered(self) -> tuple[Axes, bytes]:
        """Its axes, and the figure as SVG."""
        return rendered(self.figure, self.runs)

    def files(self) -> dict[Path, bytes]:
        """What is kept of it in results/."""
        stem = RESULTS / self.name
        found = (
            {}
            if stem.parent.name in NOT_KEPT
            else {stem.with_name(f"{stem.name}.svg"): self.rendered[1]}
        )
        if self.figure.tidy:
            found[stem.with_name(f"{stem.name}.csv")] = self.figure.csv(self.runs)
        return found


def published(folders: list[str]) -> Iterator[Published]:
    """The figures of the sweeps that have left a table."""
    for config in sorted((ROOT / "configs" / "figures").glob("*/*.toml")):
        folder = config.parent.name
        if (folders and folder not in folders) or not grid.is_sweep(config):
            continue
        if (RESULTS / folder / f"{config.stem}.csv").is_file():
            file, runs = grid.load(config), read_runs(RESULTS / folder, config.stem)
            keys = [key for key in ("processors", "lock", "barrier", "strategy") if key in runs]
            yield Published(
                f"{folder}/{config.stem}", find_figure(file.figure or file.name, keys), runs
            )


def main(folders: list[str]) -> None:
    for one in published(folders):
        for path, content in one.files().items():
            if not path.is_file() or path.read_bytes() != content:
                path.write_bytes(content)
                print(f"wrote {path.relative_to(ROOT)}")


if __name__ == "__main__":
    main(sys.argv[1:])
