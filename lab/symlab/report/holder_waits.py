# SPDX-License-Identifier: MIT
"""Who occupied the bus, or had locked a line, while requests of lock holders waited."""

import numpy as np
import pandas as pd

from symlab.report.colours import ACTIVITIES
from symlab.report.occupied import Occupied, union
from symlab.report.run_data import ratio, us
from symlab.report.section import Cell, Table

LOCKED = "(bus free, a line locked by a spinner)"


def waits_of_holders(bus: pd.DataFrame) -> Table:
    """The waits of requests made in critical sections, divided by the activity on the bus.

    `bus`: the table bus of the transaction log. The remainder is time for which the bus was free
    but the request was not granted. One part of it is apart: a spinner had locked a line. The
    arbiter may then grant nothing (bus.locked_request).
    """
    waits = bus[(bus["activity"] == "critical") & ~bus["reply"]]
    posted, granted = waits["posted_ps"].to_numpy(), waits["grant_ps"].to_numpy()
    all_ps = int((granted - posted).sum())
    rows: list[list[Cell]] = []
    left_ps = all_ps

    def add(behind: str, each: np.ndarray) -> None:
        nonlocal left_ps
        behind_ps = int(each.sum())
        left_ps -= behind_ps
        if behind_ps:
            rows.append([behind, us(behind_ps), ratio(behind_ps, all_ps), int((each > 0).sum())])

    for activity in ACTIVITIES:
        uses = bus[bus["activity"] == activity]
        add(activity, Occupied(uses["grant_ps"], uses["duration_ps"]).between(posted, granted))
    locked = locked_lines(bus)
    locked = locked[locked["activity"] == "spin"]
    used = Occupied(bus["grant_ps"], bus["duration_ps"])
    starts = np.concatenate((bus["grant_ps"], locked["start_ps"]))
    ends = np.concatenate((bus["grant_ps"] + bus["duration_ps"], locked["end_ps"]))
    add(LOCKED, union(starts, ends).between(posted, granted) - used.between(posted, granted))
    rows.append(["(bus free)", us(left_ps), ratio(left_ps, all_ps), None])
    rows.append(["all waits of holders", us(all_ps), ratio(all_ps, all_ps), len(waits)])
    columns = ["behind", "wait_us", "share", "requests"]
    return Table("behind", "What the requests of lock holders waited behind", columns, rows)


def locked_lines(bus: pd.DataFrame) -> pd.DataFrame:
    """For how long each locked instruction had its line locked, as far as the bus has seen it.

    Columns: activity, start_ps (grant of the locked read), end_ps (end of the unlock).
    """
    ends = bus[bus["kind"].isin(["locked_read", "unlock"]) & ~bus["reply"]]
    ends = ends.sort_values(["processor", "grant_ps"], kind="stable")
    following = ends.groupby("processor")[["kind", "grant_ps", "duration_ps"]].shift(-1)
    paired = (ends["kind"] == "locked_read") & (following["kind"] == "unlock")
    return pd.DataFrame(
        {
            "activity": ends["activity"].astype(str),
            "start_ps": ends["grant_ps"],
            "end_ps": following["grant_ps"] + following["duration_ps"],
        }
    )[paired].astype({"end_ps": np.int64})
