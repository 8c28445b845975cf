# SPDX-License-Identifier: MIT
"""ALL Table 4.1: the array queue lock needs few bus transactions for any number of waiters.

The workload is that of Figure 4.1. transactions_per_section counts all bus transactions. Claim
ALL-68.

The paper's table assumes an atomic read-and-increment, as in `array-xadd`. A 386 has no such
instruction. `array` implements it with a small lock, for which processors compete; it is in the
data for comparison.
"""

import pandas as pd
from symlab.plot.curves import Plot
from symlab.plot.figure import Figure, finished
from symlab.plot.repeats import averaged
from symlab_papers.expressions import claims

PROCESSORS = range(4, 19)


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """One row per lock and P, sorted: processors, lock, transactions_per_section, spread."""
    done = finished(runs, ["processors", "lock", "increments", "all_transactions"]).copy()
    done["transactions_per_section"] = done["all_transactions"] / done["increments"]
    return averaged(done, ["lock", "processors"], "transactions_per_section", "spread")


NAME = "Bus transactions per critical section"
draw = Plot("transactions_per_section", NAME, log="y", axes={"ylim": (1, None)})


CLAIMS = claims("all-table-4.1", S=draw.curves, P=PROCESSORS)
FIGURE = Figure(series, draw, CLAIMS, failures=draw.failures)
