# SPDX-License-Identifier: MIT
"""Bus use by activity, for figures that need more activities than `table.COUNTED_ACTIVITIES`."""

from collections.abc import Iterable

from symlab.runs.one_run import Run

ACTIVITIES = ("threads", "critical", "idle")
EXCHANGE = ("locked_read", "locked_store", "unlock")  # the transactions of an xchgb


def bus_us(run: Run, activities: Iterable[str]) -> dict[str, float]:
    """Columns <activity>_bus_us of the run: bus time occupied in that activity, us."""
    busy_us = run["bus"]["busy_us_by_activity"]
    return {f"{activity}_bus_us": sum(busy_us[activity].values()) for activity in activities}


def measure(run: Run) -> dict[str, float]:
    """Columns of the run for each of ACTIVITIES. <activity>_bus_us: bus time occupied in that
    activity, us. <activity>_exchanges_bus_us: the part of it by exchanges. <activity>_reads: number
    of read misses."""
    bus, columns = run["bus"], bus_us(run, ACTIVITIES)
    for activity in ACTIVITIES:
        busy_us = bus["busy_us_by_activity"][activity]
        columns[f"{activity}_exchanges_bus_us"] = sum(busy_us[kind] for kind in EXCHANGE)
        columns[f"{activity}_reads"] = bus["transactions_by_activity"][activity]["read"]
    return columns
