# SPDX-License-Identifier: MIT
"""ALL section 3.5: equal threads, one for each processor, but one processor gets two, one none.

With unlocked queues, from which no other processor may take, the two threads run one after the
other.
"""

from functools import partial

import pandas as pd

from symlab.paper.claims import Claim, judges
from symlab.paper.figure import Figure, Verdict, finished
from symlab.plot.curves import Curves, Plot
from symlab.plot.failures import mark_failures

CENTRAL, UNLOCKED = "local-freelist", "unlocked-queues"
PROCESSORS = (2, 6, 12, 18)


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """Columns processors, strategy, elapsed_us, lives, sorted.

    lives: elapsed time divided by the time of one thread.
    """
    done = finished(runs, ["processors", "strategy", "elapsed_us", "us"]).copy()
    done["lives"] = done["elapsed_us"] / done["us"].astype(float)
    columns = ["processors", "strategy", "elapsed_us", "lives"]
    return done[columns].sort_values(["strategy", "processors"], ignore_index=True)


draw = Plot(
    "lives", "Elapsed time / that of a thread", "strategy", x_label="Processors, and equal threads"
)


@judges("ALL-40", "elapsed time, unlocked over central queue: 2 +- 0.05, P = (2, 6, 12, 18)")
def all_40(claim: Claim, data: pd.DataFrame) -> Verdict:
    time = Curves.of(data, "elapsed_us", curve="strategy").require([UNLOCKED, CENTRAL], PROCESSORS)
    distances = {p: abs(time[UNLOCKED, p] / time[CENTRAL, p] - 2) for p in PROCESSORS}
    return claim.at_most(distances, 0.05, "distance from 2, P={}")


FIGURE = Figure(series, draw, (all_40,), failures=partial(mark_failures, curve="strategy"))
