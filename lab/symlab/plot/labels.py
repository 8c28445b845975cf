# SPDX-License-Identifier: MIT
"""Columns of a table as labels of axes, with their unit; and numbers with the digits that count."""

import math

UNITS = {"ps": "ps", "ns": "ns", "us": "µs", "ms": "ms", "s": "s", "mb": "MB", "mhz": "MHz"}
NAMES = {
    "elapsed_us": "Elapsed time (µs)",
    "simulated_us": "Simulated time (µs)",
    "bus_utilisation": "Bus utilisation (part of the time)",
}
DIGITS = 3  # of a number without repeats


def label(column: str) -> str:
    """`lock_wait_us` as "Lock wait (µs)"."""
    if column in NAMES:
        return NAMES[column]
    *words, last = column.split("_")
    text = " ".join(words) if words and last in UNITS else column.replace("_", " ")
    unit = f" ({UNITS[last]})" if words and last in UNITS else ""
    return text[:1].upper() + text[1:] + unit


def rounded(value: float, spread: float = 0.0) -> str:
    """The number with the digits that mean something, in groups of three.

    With a spread these end at the second digit of the spread. Without one they are three, or all
    that are before the point. "53,502", "0.0123"; with a spread of 1,200 "53,500".
    """
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
