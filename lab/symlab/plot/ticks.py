# SPDX-License-Identifier: MIT
"""Ticks of an axis at multiples of 1, 2 or 5 times a power of ten, which are easy to read."""

from matplotlib.axis import Axis
from matplotlib.ticker import MaxNLocator

STEPS = [1, 2, 5, 10]
MOST = 10  # intervals between ticks


def round_ticks(axis: Axis, whole: bool = False) -> None:
    """`whole`: ticks are whole numbers, as for processors."""
    axis.set_major_locator(MaxNLocator(nbins=MOST, steps=STEPS, integer=whole))
