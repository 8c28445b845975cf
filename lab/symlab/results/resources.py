# SPDX-License-Identifier: MIT
"""Tables of a run whose interconnect has several resources, such as a path for each processor.

bus.csv and the log's table bus then have a column `resource`. The bus is a single resource, and has
no such column.
"""

import pandas as pd

RESOURCE = "resource"


def by_resource(uses: pd.DataFrame) -> list[pd.DataFrame]:
    """The uses of each resource, which do not overlap. `uses`: of the transaction log."""
    return [each for _, each in uses.groupby(RESOURCE)] if RESOURCE in uses else [uses]


def over_resources(bus: pd.DataFrame, resources: int) -> pd.DataFrame:
    """bus.csv with one row for each interval, of all `resources` resources together. busy_us,
    mean_queue_length, transactions: sums; utilisation, share_...: means of all resources, of which
    idle ones have no row; mean_wait_us: per transaction."""
    if RESOURCE not in bus:
        return bus
    wait_us = bus["mean_wait_us"] * bus["transactions"]
    groups = bus.assign(mean_wait_us=wait_us).drop(columns=RESOURCE).groupby("start_us")
    shares = [c for c in map(str, bus) if c == "utilisation" or c.startswith("share_")]
    sums = ["busy_us", "mean_queue_length", "transactions", "mean_wait_us", *shares]
    rows = groups.agg({"end_us": "first", **dict.fromkeys(sums, "sum")}).reset_index()
    rows[shares] /= resources
    rows["mean_wait_us"] /= rows["transactions"].clip(lower=1)
    return rows[[column for column in map(str, bus) if column != RESOURCE]]
