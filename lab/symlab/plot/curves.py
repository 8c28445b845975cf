# SPDX-License-Identifier: MIT
"""Curves: measured numbers by curve (usually one per lock) and x, with lookup and plotting."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from symlab.errors import NotRun
from symlab.plot.styles import STYLES, style_of
from symlab.plot.ticks import round_ticks


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
        """y at the point. Raises NotRun if it was not run."""
        self.require([key[0]], [key[1]])
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

    def require(self, curves: Iterable[str], xs: Iterable[float]) -> None:
        """Raises NotRun, which names the points, if some of them were not run."""
        xs = list(xs)
        gaps = {c: [f"{x:g}" for x in xs if (c, x) not in self] for c in curves}
        if any(gaps.values()):
            raise NotRun(
                "; ".join(f"{c} at {self.symbol}={','.join(at)}" for c, at in gaps.items() if at)
            )


def plot_curves(
    ax: Axes,
    data: pd.DataFrame,
    x: str,
    y: str,
    labels: tuple[str, str],
    curve: str = "lock",
    most: int | None = None,
) -> None:
    """Plots one line per curve, in the order of STYLES, then the unknown ones; adds a legend.

    `labels`: of the axes. `most`: the number of processors at which the x axis ends.
    """
    order = [name for name in STYLES if name in set(data[curve])]
    for name in [*order, *sorted(set(data[curve]) - set(order))]:
        rows = data[data[curve] == name]
        ax.plot(rows[x], rows[y], **style_of(name).keywords)
    ax.set_xlabel(labels[0])
    ax.set_ylabel(labels[1])
    ax.set_ylim(bottom=0)
    round_ticks(ax.xaxis, whole=pd.api.types.is_integer_dtype(data[x]))
    round_ticks(ax.yaxis)
    if most is not None:
        ax.set_xlim(0, most + 0.5)
        ax.set_xticks(range(0, most + 1, 2))
    if len(data):
        ax.legend(frameon=False)
