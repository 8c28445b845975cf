# SPDX-License-Identifier: MIT
"""The names of the columns that the table of a sweep has besides the swept keys."""

import re

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


def is_taken(name: str) -> bool:
    """Whether `table.summary_columns` or the sweep may write a column of this name."""
    return TAKEN.fullmatch(name) is not None
