# SPDX-License-Identifier: MIT
"""Colours of activities, states and kinds, equal in all charts and on light and dark pages.

The first ones are the palette of Okabe and Ito, whose colours are distinct for colour-blind
readers.
"""

ACTIVITIES = {
    "user": "#0072B2",
    "threads": "#56B4E9",
    "critical": "#009E73",
    "spin": "#D55E00",
    "idle": "#999999",
    "kernel": "#CC79A7",
    "boot": "#E69F00",
}

STATES = {
    "executing": "#009E73",
    "waiting": "#0072B2",
    "served": "#E69F00",
    "halted": "#999999",
}

# Of a process. The first four are those of a processor that does the same.
PROCESS_STATES = {
    "work": "#0072B2",
    "acquire": "#D55E00",
    "section": "#009E73",
    "release": "#56B4E9",
    "kernel": "#CC79A7",
    "preempted": "#E69F00",
    "ready": "#8C6D31",
    "blocked": "#999999",
}

# Of a call between address spaces.
CALL_PARTS = {
    "send": "#0072B2",
    "poll": "#E69F00",
    "receive": "#56B4E9",
    "dispatch": "#009E73",
}

KINDS = {
    "fetch": "#999999",
    "read": "#0072B2",
    "read_exclusive": "#56B4E9",
    "upgrade": "#8C6D31",
    "store": "#009E73",
    "locked_read": "#D55E00",
    "locked_store": "#E69F00",
    "unlock": "#CC79A7",
    "write_back": "#7B6FD0",
    "io_read": "#A6761D",
    "io_write": "#66A61E",
}

# Colours of locks, processors and curves, by number.
_SERIES = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#7B6FD0", "#8C6D31")


def numbered(number: int) -> str:
    """The colour of the processor or series with this number; colours repeat."""
    return _SERIES[number % len(_SERIES)]
