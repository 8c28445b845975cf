# SPDX-License-Identifier: MIT
"""Ticks of an axis at multiples of 1, 2 or 5 times a power of ten, and numbers such as 300,000."""

from typing import Literal

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.ticker import FixedLocator, FuncFormatter, LogLocator, MaxNLocator, NullLocator

STEPS = [1, 2, 5, 10]
MOST = 10  # intervals between ticks
FEW_DECADES = 3  # with fewer, ticks are also at 2 and 5 times a power of ten


def round_ticks(axis: Axis, whole: bool = False) -> None:
    """`whole`: ticks are whole numbers, as for processors."""
    axis.set_major_locator(MaxNLocator(nbins=MOST, steps=STEPS, integer=whole))


def long_numbers(axis: Axis) -> None:
    """Large numbers of the axis are written with a comma for each three digits."""
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.10g}"))


def log_axis(ax: Axes, name: Literal["x", "y"], values: pd.Series) -> None:
    """Makes the axis logarithmic. `values`: what it shows. If these are few whole numbers, they are the ticks.

    What is not above zero has no place on it; the label says that it is missing.
    """
    positive = sorted(set(values[values > 0]))
    ax.set(**{f"{name}scale": "log"})
    axis = ax.xaxis if name == "x" else ax.yaxis
    if len(positive) < len(set(values.dropna())):
        axis.set_label_text(f"{axis.get_label_text()}, zeros left out")
    if positive and len(positive) <= MOST and all(value == round(value) for value in positive):
        axis.set_major_locator(FixedLocator(positive))
    else:
        wide = bool(positive) and positive[-1] / positive[0] >= 10**FEW_DECADES
        axis.set_major_locator(LogLocator(subs=(1.0,) if wide else (1.0, 2.0, 5.0)))
    axis.set_minor_locator(NullLocator())
    long_numbers(axis)
