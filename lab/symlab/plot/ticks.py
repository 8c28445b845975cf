# SPDX-License-Identifier: MIT
"""Axes: columns as labels with their unit, numbers with the digits that count, and ticks at
multiples of 1, 2 or 5 times a power of ten."""

import math
from itertools import pairwise
from typing import Literal

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.axis import Axis, XAxis
from matplotlib.ticker import FixedLocator, FuncFormatter, LogLocator, MaxNLocator, NullLocator

UNITS = {unit.lower(): unit for unit in ("ps", "ns", "us", "ms", "s", "MB", "MHz")}
NAMES = {
    "elapsed_us": "Elapsed time (us)",
    "simulated_us": "Simulated time (us)",
    "bus_utilisation": "Bus utilisation (part of the time)",
}
DIGITS = 3  # of a number without repeats
STEPS = [1, 2, 5, 10]
MOST = 10  # intervals between ticks
EDGE = 1.02  # of the largest value: a curve on the upper edge is seen
ROOM, LINES = 50, 18  # characters below an x axis and lines beside a y axis that do not touch
# Most decades -> ticks of a logarithmic axis, as multiples of powers of ten.
LOG_STEPS = {1: (1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0), 3: (1.0, 2.0, 5.0), math.inf: (1.0,)}


def label(column: str) -> str:
    """`lock_wait_us` as "Lock wait (us)"."""
    if column in NAMES:
        return NAMES[column]
    *words, last = column.split("_")
    text = " ".join(words) if words and last in UNITS else column.replace("_", " ")
    unit = f" ({UNITS[last]})" if words and last in UNITS else ""
    return text[:1].upper() + text[1:] + unit


def rounded(value: float, spread: float = 0.0) -> str:
    """The number with the digits that mean something, in groups of three. With a spread these end
    at the second digit of the spread. Without one they are three, or all that are before the point.
    "53,502", "0.0123"; with a spread of 1,200 "53,500"."""
    if not math.isfinite(value):
        return ""
    if value == 0:
        return "0"
    size = math.floor(math.log10(abs(value)))
    places = DIGITS - 1 - size
    if spread > 0 and math.isfinite(spread):
        places = min(1 - math.floor(math.log10(spread)), 15 - size)
    else:
        places = max(places, 0)
    text = f"{round(value, places):,.{max(places, 0)}f}"
    if "." in text and float(value).is_integer():
        text = text.rstrip("0").rstrip(".")
    return text


def round_ticks(axis: Axis, whole: bool = False) -> None:
    """`whole`: ticks are whole numbers, as for processors. Long numbers below an axis are fewer."""
    largest = max(map(abs, axis.get_data_interval()))
    long = len(f"{largest:,.0f}") if isinstance(axis, XAxis) and math.isfinite(largest) else 1
    most = min(MOST, max(2, ROOM // (long + 1)))
    axis.set_major_locator(MaxNLocator(nbins=most, steps=STEPS, integer=whole))


def from_zero(ax: Axes) -> None:
    """The y axis begins at 0, if all that has been drawn is above it and the axis is linear."""
    if ax.get_yscale() != "log" and ax.dataLim.ymin >= 0:
        ax.set_ylim(0, max(ax.get_ylim()[1], EDGE * ax.dataLim.ymax))


def long_numbers(axis: Axis) -> None:
    """Large numbers of the axis are written with a comma for each three digits."""
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.10g}"))


def log_axis(ax: Axes, name: Literal["x", "y"], values: pd.Series) -> None:
    """Makes the axis logarithmic. `values`: what it shows; few whole numbers are the ticks. What is
    not above zero has no place on it; the label says that it is missing."""
    positive = sorted(map(float, set(values[values > 0])))
    ax.set(**{f"{name}scale": "log"})
    axis = ax.xaxis if name == "x" else ax.yaxis
    if len(positive) < len(set(values.dropna())):
        axis.set_label_text(f"{axis.get_label_text()}, zeros left out")
    room = ROOM // (len(f"{max(positive, default=1):,.0f}") + 1) if name == "x" else LINES
    few = len(positive) <= MOST and all(value == round(value) for value in positive)
    if positive and few and _least(positive) * room >= _decades(positive):
        axis.set_major_locator(FixedLocator(positive))
    else:
        fitting = (
            subs
            for most, subs in LOG_STEPS.items()
            if _decades(positive) <= most and _least([*subs, 10.0]) * room >= _decades(positive)
        )
        axis.set_major_locator(LogLocator(subs=next(fitting, (1.0,)), numticks=max(room, 2)))
    axis.set_minor_locator(NullLocator())
    long_numbers(axis)


def _decades(values: list[float]) -> float:
    """From the first to the last of these sorted values; 1 if there are none."""
    return math.log10(values[-1] / values[0]) if values else 1.0


def _least(values: list[float]) -> float:
    """The smallest distance of two neighbours, in decades."""
    return min((_decades(list(pair)) for pair in pairwise(values)), default=1.0)
