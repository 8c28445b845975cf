# SPDX-License-Identifier: MIT
"""WKS section 1: time of a turn of a lock that is always wanted, by number of processors."""

import pandas as pd
from symlab.plot.curves import Curves, Plot
from symlab.plot.figure import Figure, Verdict, finished
from symlab.plot.repeats import averaged
from symlab_papers.claims import Claim, judges

FEW, MANY = 2, 8  # processors of the SGI Iris
DEGRADES, LEVEL = 1.2, 1.05  # our reading of "severe" and of none


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """Tidy data, sorted: lock, processors, turn_us, spread_us; a turn of any processor."""
    done = finished(runs, ["lock", "processors", "elapsed_us", "turns_done"]).copy()
    done["turn_us"] = done["elapsed_us"] / done["turns_done"]
    return averaged(done, ["lock", "processors"], "turn_us", "spread_us")


draw = Plot("turn_us", "Time of a turn (us)", most=MANY)


@judges("WKS-31", "C(8)/C(2) >= 1.2 with xchgb and read, <= 1.05 with mcs")
def wks_31(claim: Claim, data: pd.DataFrame) -> Verdict:
    time = Curves.of(data, "turn_us").require(("xchgb", "read", "mcs"), (FEW, MANY))
    growth = {x: time[x, MANY] / time[x, FEW] for x in ("xchgb", "read", "mcs")}
    queue = growth.pop("mcs")
    return claim.all_of(
        claim.at_least(growth, DEGRADES, "C(8)/C(2), {}"),
        claim.at_most({"": queue}, LEVEL, "C(8)/C(2), mcs"),
    )


FIGURE = Figure(series, draw, (wks_31,), tidy=True)
