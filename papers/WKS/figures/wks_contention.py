# SPDX-License-Identifier: MIT
"""WKS section 1: time of a turn of a lock that is always wanted, by number of processors."""

from functools import partial

import pandas as pd
from symlab.plot.curves import Curves, Plot
from symlab.plot.figure import Figure, finished
from symlab.plot.repeats import averaged
from symlab_papers.expressions import claims


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """Tidy data, sorted: lock, processors, turn_us, spread_us; a turn of any processor."""
    done = finished(runs, ["lock", "processors", "elapsed_us", "turns_done"]).copy()
    done["turn_us"] = done["elapsed_us"] / done["turns_done"]
    return averaged(done, ["lock", "processors"], "turn_us", "spread_us")


draw = Plot("turn_us", "Time of a turn (us)", most=8)


CLAIMS = claims("wks-contention", T=partial(Curves.of, y="turn_us"))
FIGURE = Figure(series, draw, CLAIMS, tidy=True)
