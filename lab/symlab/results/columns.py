# SPDX-License-Identifier: MIT
"""The columns of the tables: their types, and the names that the table of a sweep gives to its own
besides the swept keys."""

import re
from collections.abc import Callable
from enum import StrEnum


class Type(StrEnum):
    """What the cells of a column are. A missing number is allowed, and so is a missing text."""

    TEXT = "text"
    NUMBER = "number"
    COUNT = "whole number"


# Columns that depend on the host or on the build of the simulator. They go to a CSV of their own.
HOST_COLUMNS = ("run", "cpu_s", "wall_s", "peak_rss_mb", "mips", "slowdown")

TAKEN = re.compile(
    "|".join(
        (
            "status",
            *HOST_COLUMNS,
            "simulated_us",
            "instructions",
            "bus_(busy_us|utilisation)",
            r"\w+_transactions",
            "lock_(acquisitions|wait_us|hold_us|max_wait_us)",
            "lock_waited_for_preempted_holder_us",
            r"process_\w+",
            r"region_\d+_us",
            "(executing|waiting|served|halted)_us",
            "(user|threads|critical|spin|idle|kernel|boot)_us",
        )
    )
)

# Of the files of a run (symsim --describe). All their other columns are numbers.
TEXTS_OF_A_RUN = (
    "activity", "address", "lock", "name", "page", "part", "supplier", "symbol",
)  # fmt: skip
FRACTIONS = re.compile(r"\w+_us|share_\w+|mean_\w+|utilisation")


def is_taken(name: str) -> bool:
    """Whether `table.summary_columns` or the sweep may write a column of this name."""
    return TAKEN.fullmatch(name) is not None


def of_sweep(name: str) -> Type | None:
    """The type of a column of a sweep's table. None: each cell says what it is (csv_file.py)."""
    return Type.TEXT if name in ("run", "status") else None


def of_run(name: str) -> Type:
    """The type of a column of a run's CSVs: bus.csv, locks.csv and so on."""
    if name in TEXTS_OF_A_RUN:
        return Type.TEXT
    return Type.NUMBER if FRACTIONS.fullmatch(name) else Type.COUNT


def texts(*names: str) -> Callable[[str], Type | None]:
    """The types of a table with these columns of texts; the cells of others say what they are."""
    return dict.fromkeys(names, Type.TEXT).get
