# SPDX-License-Identifier: MIT
"""MTH section 7.2.3: what each affinity model costs where the order of threads saves no miss."""

import pandas as pd
from symlab.plot.curves import Curves, Plot
from symlab.plot.figure import Figure, Verdict, finished
from symlab.plot.repeats import averaged
from symlab_papers.claims import Claim, judges

FEW = 32


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """Tidy data, sorted: affinity, threads, lock_ns, spread_ns; of one lock and its switch."""
    done = finished(runs, ["affinity", "threads", "locks_per_second"]).copy()
    done["lock_ns"] = 1e9 / done["locks_per_second"]
    return averaged(done, ["affinity", "threads"], "lock_ns", "spread_ns")


draw = Plot("lock_ns", "Time of a lock (ns)", "affinity", "threads", "Threads")


@judges(
    "MTH-18", "D_Reload > D_VTime > D_NoAff where caches make no difference: few threads, P = 1"
)
def mth_18(claim: Claim, data: pd.DataFrame) -> Verdict:
    time = Curves.of(data, "lock_ns", "threads", "affinity", "threads")
    time.require(("none", "vtime", "reload"), [FEW])
    return claim.ordered(
        {
            "NoAff/VTime": time.pair(("none", FEW), ("vtime", FEW)),
            "VTime/Reload": time.pair(("vtime", FEW), ("reload", FEW)),
        },
        "{}",
    )


FIGURE = Figure(series, draw, (mth_18,), tidy=True)
