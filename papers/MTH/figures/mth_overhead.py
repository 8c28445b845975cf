# SPDX-License-Identifier: MIT
"""MTH section 7.2.3: what each affinity model costs where the order of threads saves no miss."""

from functools import partial

import pandas as pd
from symlab.plot.curves import Curves, Plot
from symlab.plot.figure import Figure, finished
from symlab.plot.repeats import averaged
from symlab_papers.expressions import claims


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """Tidy data, sorted: affinity, threads, lock_ns, spread_ns; of one lock and its switch."""
    done = finished(runs, ["affinity", "threads", "locks_per_second"]).copy()
    done["lock_ns"] = 1e9 / done["locks_per_second"]
    return averaged(done, ["affinity", "threads"], "lock_ns", "spread_ns")


draw = Plot("lock_ns", "Time of a lock (ns)", "affinity", "threads", "Threads")


TIMES = partial(Curves.of, y="lock_ns", x="threads", curve="affinity", symbol="threads")
FIGURE = Figure(series, draw, claims("mth-overhead", D=TIMES), tidy=True)
