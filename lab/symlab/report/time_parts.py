# SPDX-License-Identifier: MIT
"""Divides the time of processors into five parts that answer: what slowed them?

The parts do not overlap, and sum to the simulated time of each processor.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from symlab.report.colours import ACTIVITIES, STATES
from symlab.report.run_data import ps

# Part -> how a sentence says it: "The processors spent half of their time ..."
PARTS = {
    "executing": "executing instructions",
    "served": "being served by bus and memory",
    "waiting": "waiting for the bus",
    "spinning": "spinning",
    "idle": "without work",
}
COLOURS = {**STATES, "spinning": ACTIVITIES["spin"], "idle": ACTIVITIES["idle"]}
_OF_ACTIVITY = {"spin": "spinning", "idle": "idle"}


def time_parts(processors: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """Part -> its time in ps, summed over `processors`, which are entries of summary.json.

    Spinning and idle are whole activities. The other activities are divided by state; a halted
    processor is idle.
    """
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
