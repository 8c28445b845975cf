# SPDX-License-Identifier: MIT
"""Ticks of an axis at multiples of 1, 2 or 5 times a power of ten, and numbers such as 300,000."""

from matplotlib.axis import Axis
from matplotlib.ticker import FuncFormatter, MaxNLocator

STEPS = [1, 2, 5, 10]
MOST = 10  # intervals between ticks


def round_ticks(axis: Axis, whole: bool = False) -> None:
    """`whole`: ticks are whole numbers, as for processors."""
    axis.set_major_locator(MaxNLocator(nbins=MOST, steps=STEPS, integer=whole))


def long_numbers(axis: Axis) -> None:
    """Large numbers of the axis are written with a comma for each three digits."""
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.10g}"))
