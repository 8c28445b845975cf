# SPDX-License-Identifier: MIT
"""Curves: measured numbers by curve (usually one per lock) and x, with lookup and plotting."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from symlab.figures.styles import STYLES, style_of


def averaged(data: pd.DataFrame, keys: list[str], y: str, spread: str) -> pd.DataFrame:
    """Averages over runs that differ only in the seed: columns `keys`, `y`, `spread`, sorted.

    `y` is the mean, `spread` half the distance between the smallest and the largest value.
    """
    groups = data.dropna(subset=[*keys, y]).groupby(keys, sort=True)[y]
    means = {y: groups.mean(), spread: (groups.max() - groups.min()) / 2}
    return pd.DataFrame(means).reset_index()


@dataclass(frozen=True)
class Curves:
    """y and its spread at (curve, x). `symbol`: the name of x in notes, such as P."""

    values: dict[tuple[str, float], float]
    spreads: dict[tuple[str, float], float]
    symbol: str = "P"

    @classmethod
    def of(
        cls,
        data: pd.DataFrame,
        y: str,
        x: str = "processors",
        curve: str = "lock",
        spread: str | None = None,
        symbol: str = "P",
    ) -> "Curves":
        """From tidy data with these columns; a row whose `y` is not finite counts as not run."""
        finite = data[np.isfinite(pd.to_numeric(data[y]))]
        keys = [(str(c), float(at)) for c, at in zip(finite[curve], finite[x], strict=True)]
        spreads = finite[spread] if spread and spread in finite else [0.0] * len(keys)
        return cls(
            dict(zip(keys, map(float, finite[y]), strict=True)),
            dict(zip(keys, map(float, spreads), strict=True)),
            symbol,
        )

    def __getitem__(self, key: tuple[str, float]) -> float:
        return self.values[key]

    def __contains__(self, key: object) -> bool:
        return key in self.values

    def curve(self, name: str) -> dict[float, float]:
        """x -> y of one curve, in ascending order of x."""
        return {x: y for (c, x), y in sorted(self.values.items()) if c == name}

    def spread(self, *keys: tuple[str, float]) -> float:
        """Sum of the points' run-to-run spreads, which an ordering of the points must exceed."""
        return sum(self.spreads[key] for key in keys)

    def pair(self, less: tuple[str, float], more: tuple[str, float]) -> tuple[float, float, float]:
        """Two points as a triple (less, more, spread) for `Claim.ordered`."""
        return self[less], self[more], self.spread(less, more)

    def missing(self, curves: Iterable[str], xs: Iterable[float]) -> str:
        """The points that were not run, in words; empty if all were run."""
        xs = list(xs)
        gaps = {c: [f"{x:g}" for x in xs if (c, x) not in self] for c in curves}
        return "; ".join(
            f"{c} at {self.symbol}={','.join(found)}" for c, found in gaps.items() if found
        )


def plot_curves(ax: Axes, data: pd.DataFrame, x: str, y: str, curve: str = "lock") -> None:
    """Plots one line per curve, in the order of STYLES, then the unknown ones; adds a legend."""
    order = [name for name in STYLES if name in set(data[curve])]
    for name in [*order, *sorted(set(data[curve]) - set(order))]:
        rows = data[data[curve] == name]
        ax.plot(rows[x], rows[y], **style_of(name).keywords)
    ax.set_ylim(bottom=0)
    if pd.api.types.is_integer_dtype(data[x]):
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    if len(data):
        ax.legend(frameon=False)
