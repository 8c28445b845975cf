# SPDX-License-Identifier: MIT
"""Turns the summaries of runs into one tidy table: one row per run, the unit in the column name."""

import re
from collections.abc import Mapping
from typing import Any

import pandas as pd
from pandas.api.types import is_bool_dtype, is_numeric_dtype

from symlab.results.columns import HOST_COLUMNS
from symlab.results.csv_file import typed
from symlab.results.summary import PROCESS_COUNTS

# Activities whose bus transactions are also counted separately: "critical" is the execution of
# critical sections by the lock's owner, "spin" is waiting for a lock.
COUNTED_ACTIVITIES = ("critical", "spin")


def summary_columns(summary: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """The columns of one summary.json (schema version 1) that no host influences, in fixed order.

    Times are simulated microseconds. States and activities are sums over all processors, so
    executing_us + waiting_us + served_us + halted_us = processors x simulated_us. lock_... are
    sums over all locks; lock_max_wait_us is the longest wait for any lock. region_<number>_us
    lasts from the first begin of the region to its last end, by any processor. process_... are
    sums over all processes.

    `given`: the row's swept keys and arguments. A guest result whose name is already a column
    becomes `result_<name>`; it is dropped if it repeats the value in `given`.
    """
    bus = summary.get("bus") or {}
    row: dict[str, Any] = {
        "simulated_us": summary.get("simulated_us"),
        "instructions": summary.get("instructions"),
        "bus_busy_us": bus.get("busy_us"),
        "bus_utilisation": bus.get("utilisation"),
        "all_transactions": bus.get("all_transactions"),
    }
    for kind, count in (bus.get("transactions") or {}).items():
        row[f"{_identifier(kind)}_transactions"] = count
    for activity in COUNTED_ACTIVITIES:
        counts = (bus.get("transactions_by_activity") or {}).get(activity) or {}
        for kind, count in counts.items():
            row[f"{activity}_{_identifier(kind)}_transactions"] = count
    if locks := summary.get("locks"):
        for name in ("acquisitions", "wait_us", "hold_us"):
            row[f"lock_{name}"] = sum(lock[name] for lock in locks)
        row["lock_max_wait_us"] = max(lock["max_wait_us"] for lock in locks)
    if processes := summary.get("processes"):
        lost = "waited_for_preempted_holder_us"
        row[f"lock_{lost}"] = sum(lock[lost] for lock in summary["locks"])
        for state, time_us in processes["states_us"].items():
            row[f"process_{_identifier(state)}_us"] = time_us
        for name in PROCESS_COUNTS:
            row[f"process_{name}"] = processes[name]
    for region in summary.get("regions") or []:
        begin_us, end_us = region["first_begin_us"], region["last_end_us"]
        if begin_us is not None and end_us is not None:
            row[f"region_{region['number']}_us"] = round(end_us - begin_us, 6)
    for table in ("states_us", "activities_us"):
        for processor in summary.get("processors") or []:
            for name, time_us in (processor.get(table) or {}).items():
                column = f"{_identifier(name)}_us"
                row[column] = row.get(column, 0) + time_us
    taken = {*row, *given, *HOST_COLUMNS, "status"}
    for name, value in ((summary.get("guest") or {}).get("results") or {}).items():
        if name in given and given[name] == value:
            continue
        row[f"result_{name}" if name in taken else name] = value
    return row


def host_columns(host: Mapping[str, Any], simulated_us: float | None) -> dict[str, Any]:
    """The columns of host.json; slowdown is host CPU seconds per simulated second, or None."""
    row = {name: host.get(name) for name in ("cpu_s", "wall_s", "peak_rss_mb", "mips")}
    cpu_s = row["cpu_s"]
    slowdown = cpu_s / (simulated_us / 1e6) if cpu_s is not None and simulated_us else None
    return row | {"slowdown": slowdown}


def frame(rows: list[dict[str, Any]], first: list[str], last: list[str]) -> pd.DataFrame:
    """A frame of `rows`: columns `first`, then the others by first appearance, then `last`. Columns
    of integers with missing values stay integer (Int64): a failed run must not turn 20 into
    20.0."""
    seen = dict.fromkeys(column for row in rows for column in row)
    columns = [*first, *(c for c in seen if c not in first and c not in last), *last]
    data = {column: typed([row.get(column) for row in rows]) for column in columns}
    return pd.DataFrame(data, columns=columns)


def is_number(column: pd.Series) -> bool:
    """Whether the column has numbers; True and False are none."""
    return is_numeric_dtype(column) and not is_bool_dtype(column)


def transactions_of(runs: pd.DataFrame, *activities: str) -> pd.Series:
    """Number of bus transactions of all kinds in the given activities, one value per run.
    `activities`: some of `COUNTED_ACTIVITIES`."""
    kinds = [
        column
        for column in map(str, runs)
        if column.endswith("_transactions")
        and column.startswith(tuple(f"{a}_" for a in activities))
    ]
    return runs[kinds].sum(axis=1)


def _identifier(name: str) -> str:
    return re.sub(r"\W+", "_", name).strip("_")
