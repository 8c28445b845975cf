# SPDX-License-Identifier: MIT
"""ALL Fig. 4.3: a barrier of processors that arrive together; B_m(P) = elapsed time / P.

Each of P processors takes the lock m once, adds 1, and loops until all processors have done so.
`backoff-capped` is backoff with a mean delay of at most a section. It serves to show why backoff is
slow here (ALL-55).
"""

from functools import partial

import pandas as pd
from symlab.plot.curves import Curves, Plot
from symlab.plot.figure import Figure, finished
from symlab.plot.repeats import averaged
from symlab_papers.expressions import claims

PROCESSORS = 20  # the paper's Symmetry has 20


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """One row per lock and P, sorted: processors, lock, barrier_us, spread_us, bus_utilisation.

    barrier_us: time per round and processor. bus_utilisation: part of the time that the bus is
    occupied.
    """
    done = finished(runs, ["processors", "lock", "elapsed_us", "rounds", "bus_utilisation"]).copy()
    done["barrier_us"] = done["elapsed_us"] / done["rounds"] / done["processors"]
    keys = ["lock", "processors"]
    return averaged(done, keys, "barrier_us", "spread_us", ["bus_utilisation"])


draw = Plot("barrier_us", "Time of a barrier / processors (µs)", most=PROCESSORS)


CLAIMS = claims("all-4.3", B=draw.curves, U=partial(Curves.of, y="bus_utilisation"))
FIGURE = Figure(series, draw, CLAIMS, failures=draw.failures)
