# SPDX-License-Identifier: MIT
"""The shortest schedule that still shows a violation, by trying shorter ones."""

from collections.abc import Callable

from symlab.check.schedule import INTERRUPT, Schedule

SHORTEST_NS = 100  # a delay below it is as good as none: some instructions


def shrink(schedule: Schedule, fails: Callable[[Schedule], bool]) -> Schedule:
    """Leaves out entries, then halves delays, as long as `fails` says that the run still shows the
    violation. Each entry of the result is necessary."""
    schedule = _fewer(schedule, fails)
    for at in range(len(schedule)):
        if schedule[at].action != INTERRUPT:
            schedule = _shorter(schedule, at, fails)
    return _fewer(schedule, fails)


def _fewer(schedule: Schedule, fails: Callable[[Schedule], bool]) -> Schedule:
    at = 0
    while at < len(schedule):
        without = schedule[:at] + schedule[at + 1 :]
        if fails(without):
            schedule, at = without, 0
        else:
            at += 1
    return schedule


def _shorter(schedule: Schedule, at: int, fails: Callable[[Schedule], bool]) -> Schedule:
    """Finds by bisection a delay with which the run fails and with slightly less does not."""
    entry = schedule[at]
    low, high = 0, entry.delay_ns
    while high - low > max(SHORTEST_NS, high // 16):
        middle = (low + high) // 2
        tried = (*schedule[:at], entry._replace(delay_ns=middle), *schedule[at + 1 :])
        if fails(tried):
            high = middle
        else:
            low = middle
    return (*schedule[:at], entry._replace(delay_ns=high), *schedule[at + 1 :])
