# SPDX-License-Identifier: MIT
"""More of a run's bus use by activity than its table has (`table.COUNTED_ACTIVITIES`)."""

from collections.abc import Iterable
from pathlib import Path

from symlab.simulator import read_json

ACTIVITIES = ("threads", "critical", "idle")
EXCHANGE = ("locked_read", "locked_store", "unlock")  # the transactions of one


def bus_us(folder: Path, activities: Iterable[str]) -> dict[str, float]:
    """Columns <activity>_bus_us, the bus held for it."""
    busy_us = (read_json(folder / "summary.json") or {})["bus"]["busy_us_by_activity"]
    return {f"{activity}_bus_us": sum(busy_us[activity].values()) for activity in activities}


def measure(folder: Path) -> dict[str, float]:
    """Columns <activity>_bus_us, the bus held for it; <activity>_exchanges_bus_us, by exchanges;
    <activity>_reads, its read misses."""
    bus = (read_json(folder / "summary.json") or {})["bus"]
    columns: dict[str, float] = {}
    for activity in ACTIVITIES:
        busy_us = bus["busy_us_by_activity"][activity]
        columns[f"{activity}_bus_us"] = sum(busy_us.values())
        columns[f"{activity}_exchanges_bus_us"] = sum(busy_us[kind] for kind in EXCHANGE)
        columns[f"{activity}_reads"] = bus["transactions_by_activity"][activity]["read"]
    return columns
