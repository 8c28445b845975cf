# SPDX-License-Identifier: MIT
"""What the sentences of a page are made of: rounded numbers, parts of the processors' time."""

from collections.abc import Iterable, Mapping
from typing import Any

from symlab.reports.colours import ACTIVITIES, STATES
from symlab.reports.run_data import ps

SPACE = "\u00a0"  # between a number and its unit, so that no line breaks there

KIND_WORDS = {
    "fetch": "fetches",
    "read": "reads",
    "read_exclusive": "reads for ownership",
    "upgrade": "upgrades",
    "store": "stores",
    "locked_read": "locked reads",
    "locked_store": "locked stores",
    "unlock": "unlocks",
    "write_back": "write-backs",
    "io_read": "device reads",
    "io_write": "device writes",
}
# Part -> how a sentence says it: "The processors spent half of their time ..."
PARTS = {
    "executing": "executing instructions",
    "served": "being served by bus and memory",
    "waiting": "waiting for the bus",
    "spinning": "spinning",
    "idle": "without work",
}
PART_COLOURS = {**STATES, "spinning": ACTIVITIES["spin"], "idle": ACTIVITIES["idle"]}
_OF_ACTIVITY = {"spin": "spinning", "idle": "idle"}


def share(part: float, whole: float) -> str:
    """part / whole in percent, as "79.7 %". Only 0 is written as 0, and only 1 as 100."""
    if not whole or not part:
        return f"0{SPACE}%"
    if part == whole:
        return f"100{SPACE}%"
    percent = 100 * part / whole
    if percent < 0.05:
        return f"under 0.1{SPACE}%"
    return f"over 99.9{SPACE}%" if percent >= 99.95 else f"{percent:.1f}{SPACE}%"


def number(value: float) -> str:
    """About three digits, as "17.8", "241" and "53,502"."""
    size = abs(value)
    digits = 0 if size >= 100 or size == int(size) else 1 if size >= 10 else 2
    return f"{value:,.{digits}f}"


def time(value_us: float) -> str:
    """A time, as "241 us"."""
    return f"{number(value_us)}{SPACE}us"


def time_parts(processors: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """Part -> its time in ps, summed over `processors`, which are entries of summary.json. Spinning
    and idle are whole activities. The other activities are divided by state; a halted processor is
    idle."""
    found = dict.fromkeys(PARTS, 0)
    for processor in processors:
        for activity, states in processor["states_us_by_activity"].items():
            for state, time_us in states.items():
                part = _OF_ACTIVITY.get(activity, "idle" if state == "halted" else state)
                found[part] += ps(time_us)
    return found


def critical_parts(processors: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """The same of the time in critical sections only."""
    critical = (processor["states_us_by_activity"]["critical"] for processor in processors)
    return time_parts({"states_us_by_activity": {"critical": states}} for states in critical)
