# SPDX-License-Identifier: MIT
"""Who occupied the bus, or had locked a line, while requests of lock holders waited."""

import numpy as np
import pandas as pd

from symlab.report.colours import ACTIVITIES
from symlab.report.occupied import Occupied, union
from symlab.report.run_data import ratio, us
from symlab.report.section import Cell, Table
from symlab.results.resources import by_resource

LOCKED = "(bus free, a line locked by a spinner)"


def waits_of_holders(bus: pd.DataFrame) -> Table:
    """The waits of requests made in critical sections, divided by the activity on the bus.

    `bus`: the table bus of the transaction log. The remainder is time for which the bus was free
    but the request was not granted. One part of it is apart: a spinner had locked a line. The
    arbiter may then grant nothing (bus.locked_request). A request waits for one resource of the
    interconnect.
    """
    waits = bus[(bus["activity"] == "critical") & ~bus["reply"]]
    all_ps = int((waits["grant_ps"] - waits["posted_ps"]).sum())
    locked = locked_lines(bus)
    locked = locked[locked["activity"] == "spin"]
    behind: dict[str, list[np.ndarray]] = {name: [] for name in (*ACTIVITIES, LOCKED)}
    for uses in by_resource(bus):
        for name, each in _behind(uses, locked).items():
            behind[name].append(each)
    rows: list[list[Cell]] = []
    left_ps = all_ps
    for name, parts in behind.items():
        each = np.concatenate(parts)
        behind_ps = int(each.sum())
        left_ps -= behind_ps
        if behind_ps:
            rows.append([name, us(behind_ps), ratio(behind_ps, all_ps), int((each > 0).sum())])
    rows.append(["(bus free)", us(left_ps), ratio(left_ps, all_ps), None])
    rows.append(["all waits of holders", us(all_ps), ratio(all_ps, all_ps), len(waits)])
    columns = ["behind", "wait_us", "share", "requests"]
    return Table("behind", "What the requests of lock holders waited behind", columns, rows)


def _behind(bus: pd.DataFrame, locked: pd.DataFrame) -> dict[str, np.ndarray]:
    """What occupied one resource -> for how long, in ps, in each wait of a holder for it.

    `bus`: the uses of the resource. `locked`: when spinners had locked a line.
    """
    waits = bus[(bus["activity"] == "critical") & ~bus["reply"]]
    posted, granted = waits["posted_ps"].to_numpy(), waits["grant_ps"].to_numpy()
    found = {}
    for activity in ACTIVITIES:
        uses = bus[bus["activity"] == activity]
        occupied = Occupied(uses["grant_ps"], uses["duration_ps"])
        found[activity] = occupied.between(posted, granted)
    used = Occupied(bus["grant_ps"], bus["duration_ps"])
    starts = np.concatenate((bus["grant_ps"], locked["start_ps"]))
    ends = np.concatenate((bus["grant_ps"] + bus["duration_ps"], locked["end_ps"]))
    either = union(starts, ends)
    found[LOCKED] = either.between(posted, granted) - used.between(posted, granted)
    return found


def locked_lines(bus: pd.DataFrame) -> pd.DataFrame:
    """For how long each locked instruction had its line locked, as far as the bus has seen it.

    Columns: activity, start_ps (grant of the locked read), end_ps (end of the last unlock; if there
    is none, end of the locked store, which then ends the lock: bus.unlock = with-store).
    """
    uses = bus[bus["kind"].isin(["locked_read", "locked_store", "unlock"]) & ~bus["reply"]]
    uses = uses.sort_values(["processor", "grant_ps"], kind="stable")
    kinds = uses["kind"].astype(str)
    uses = pd.DataFrame(
        {
            "activity": uses["activity"].astype(str),
            "start_ps": uses["grant_ps"],
            "processor": uses["processor"].astype(int),
            "lock": (kinds == "locked_read").cumsum(),
            "end": uses["grant_ps"] + uses["duration_ps"],
        }
    )
    keys = ["processor", "lock"]
    unlocks = uses[kinds == "unlock"].groupby(keys)["end"].max()
    stores = uses[kinds == "locked_store"].groupby(keys)["end"].min()
    ends = unlocks.combine_first(stores).astype(np.int64).rename("end_ps")
    locked = uses[kinds == "locked_read"].join(ends, on=keys, how="inner")
    return locked[["activity", "start_ps", "end_ps"]]
