# SPDX-License-Identifier: MIT
"""Who occupied the bus while requests of lock holders waited for it."""

import pandas as pd

from symlab.report.colours import ACTIVITIES
from symlab.report.occupied import Occupied
from symlab.report.run_data import ratio, us
from symlab.report.section import Cell, Table


def waits_of_holders(bus: pd.DataFrame) -> Table:
    """The waits of requests made in critical sections, divided by the activity on the bus.

    `bus`: the table bus of the transaction log. The remainder is time for which the bus was free
    but the request was not granted.
    """
    waits = bus[(bus["activity"] == "critical") & ~bus["reply"]]
    posted, granted = waits["posted_ps"].to_numpy(), waits["grant_ps"].to_numpy()
    all_ps = int((granted - posted).sum())
    rows: list[list[Cell]] = []
    left_ps = all_ps
    for activity in ACTIVITIES:
        uses = bus[bus["activity"] == activity]
        each = Occupied(uses["grant_ps"], uses["duration_ps"]).between(posted, granted)
        behind_ps = int(each.sum())
        left_ps -= behind_ps
        if behind_ps:
            rows.append([activity, us(behind_ps), ratio(behind_ps, all_ps), int((each > 0).sum())])
    rows.append(["(the bus was free)", us(left_ps), ratio(left_ps, all_ps), None])
    rows.append(["all waits of holders", us(all_ps), ratio(all_ps, all_ps), len(waits)])
    columns = ["behind", "wait_us", "share", "requests"]
    return Table("behind", "What the requests of lock holders waited behind", columns, rows)
