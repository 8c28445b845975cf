# SPDX-License-Identifier: MIT
"""Ticks of an axis at multiples of 1, 2 or 5 times a power of ten, and numbers such as 300,000."""

import math
from typing import Literal

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.ticker import FixedLocator, FuncFormatter, LogLocator, MaxNLocator, NullLocator

STEPS = [1, 2, 5, 10]
MOST = 10  # intervals between ticks
# Largest over smallest value -> ticks of a logarithmic axis, as multiples of powers of ten.
LOG_STEPS = {10.0: (1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0), 1e3: (1.0, 2.0, 5.0), math.inf: (1.0,)}


def round_ticks(axis: Axis, whole: bool = False) -> None:
    """`whole`: ticks are whole numbers, as for processors."""
    axis.set_major_locator(MaxNLocator(nbins=MOST, steps=STEPS, integer=whole))


def long_numbers(axis: Axis) -> None:
    """Large numbers of the axis are written with a comma for each three digits."""
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.10g}"))


def log_axis(ax: Axes, name: Literal["x", "y"], values: pd.Series) -> None:
    """Makes the axis logarithmic. `values`: what it shows; few whole numbers are the ticks.

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
        ratio = positive[-1] / positive[0] if positive else 1.0
        at = next(subs for most, subs in LOG_STEPS.items() if ratio <= most)
        axis.set_major_locator(LogLocator(subs=at))
    axis.set_minor_locator(NullLocator())
    long_numbers(axis)
