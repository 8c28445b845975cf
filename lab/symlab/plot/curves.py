# SPDX-License-Identifier: MIT
"""Curves: measured numbers by curve (usually one per lock) and x, with lookup and plotting."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from symlab.errors import NotRun
from symlab.plot.legend import add_legend
from symlab.plot.marks import mark_failures
from symlab.plot.ranged import Ranged
from symlab.plot.repeats import spread_of
from symlab.plot.styles import STYLES, styles_of
from symlab.plot.ticks import from_zero, log_axis, round_ticks


def chosen(data: pd.DataFrame, **values: object) -> pd.DataFrame:
    """The rows that have these values in these columns."""
    for column, value in values.items():
        data = data[data[column] == value]
    return data


@dataclass(frozen=True)
class Curves:
    """y and its spread at (curve, x). `symbol`: the name of x in notes, such as P. The spread is
    NaN if it was not measured."""

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
        symbol: str = "P",
    ) -> Self:
        """From tidy data with these columns; a row whose `y` is not finite counts as not run."""
        finite = data[np.isfinite(pd.to_numeric(data[y]))]
        keys = [(str(c), float(at)) for c, at in zip(finite[curve], finite[x], strict=True)]
        spread = spread_of(finite, y)
        spreads = finite[spread] if spread else [np.nan] * len(keys)
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

    def peak(self, name: str) -> float:
        """The first x at which the curve has its largest y."""
        curve = self.curve(name)
        return max(curve, key=lambda x: curve[x])

    def at(self, name: str, xs: Iterable[float]) -> dict[float, float]:
        """x -> y of one curve. Raises NotRun, which names the points, if some were not run."""
        xs = list(xs)
        self.require([name], xs)
        return {x: self.values[name, x] for x in xs}

    def ranged(self, curve: str, x: float) -> Ranged:
        """y at the point with its spread. Raises NotRun if it was not run."""
        return Ranged(self[curve, x], self.spreads[curve, x])

    def pair(self, less: tuple[str, float], more: tuple[str, float]) -> tuple[Ranged, Ranged]:
        """Two points as a pair (less, more) for `Claim.ordered`."""
        return self.ranged(*less), self.ranged(*more)

    def ordered(
        self, less: str, more: str, xs: Iterable[float]
    ) -> dict[float, tuple[Ranged, Ranged]]:
        """x -> the points of two curves at x as a pair for `Claim.ordered`."""
        return {x: self.pair((less, x), (more, x)) for x in xs}

    def require(self, curves: Iterable[str], xs: Iterable[float]) -> Self:
        """These curves. Raises NotRun, which names the points, if some of them were not run."""
        xs = list(xs)
        gaps = {c: [f"{x:g}" for x in xs if (c, x) not in self] for c in curves}
        if any(gaps.values()):
            raise NotRun(
                "; ".join(f"{c} at {self.symbol}={','.join(at)}" for c, at in gaps.items() if at)
            )
        return self


@dataclass(frozen=True)
class Plot:
    """Draws tidy data on axes: one line per curve, in the order of STYLES, and a legend.

    `y`: the column that is drawn over the column `x`. `curve`: the column that distinguishes the
    curves. `most`: the number of processors at which the x axis ends. `where`: column -> value of
    the rows that are drawn. `room`: the y axis ends at so many times the largest y, for a legend
    above the curves with `legend_columns`; 1 for one where there is place. `log`: which axes are
    logarithmic, as "y" or "xy". `axes`: further properties of the axes, as matplotlib's `Axes.set`
    takes them.
    """

    y: str
    label: str
    curve: str = "lock"
    x: str = "processors"
    x_label: str = "Processors"
    most: int | None = None
    where: Mapping[str, object] = field(default_factory=dict)
    room: float = 1.0
    legend_columns: int = 2
    log: str = ""
    axes: Mapping[str, object] = field(default_factory=dict)

    def __call__(self, ax: Axes, data: pd.DataFrame) -> None:
        shown = chosen(data, **self.where)
        for name, style in styles_of(in_order(shown[self.curve])).items():
            rows = shown[shown[self.curve] == name]
            ax.plot(rows[self.x], rows[self.y], **style.keywords)
        ax.set_xlabel(self.x_label)
        ax.set_ylabel(self.label)
        round_axes(ax, shown[self.x])
        for name in self.log:
            log_axis(ax, "x" if name == "x" else "y", shown[self.x if name == "x" else self.y])
        from_zero(ax)
        if self.most is not None:
            ax.set_xlim(0, self.most + 0.5)
            ax.set_xticks(range(0, self.most + 1, 2))
        ax.set(**self.axes)
        if len(shown) and self.room > 1:
            ax.set_ylim(0, self.room * shown[self.y].max())
            look: dict[str, Any] = {"frameon": False, "fontsize": "small", "loc": "upper left"}
            ax.legend(ncols=self.legend_columns, **look)
        else:
            add_legend(ax)

    def curves(self, data: pd.DataFrame, symbol: str = "P") -> Curves:
        """The curves of the data; those that are drawn and, with `where`, others."""
        return Curves.of(data, self.y, self.x, self.curve, symbol)

    def failures(self, ax: Axes, runs: pd.DataFrame) -> None:
        """Marks the failed runs of the curves that are drawn."""
        mark_failures(ax, runs, self.x, self.curve, self.where)


def in_order(names: Iterable[str]) -> list[str]:
    """Each name once: in the order of STYLES, then the unknown ones."""
    known = [name for name in STYLES if name in set(names)]
    return [*known, *sorted(set(names) - set(known))]


def round_axes(ax: Axes, x: pd.Series) -> None:
    """Round ticks on both axes. If x has only integers, the ticks of its axis are integers too."""
    round_ticks(ax.xaxis, whole=pd.api.types.is_integer_dtype(x))
    round_ticks(ax.yaxis)
