# SPDX-License-Identifier: MIT
"""MTH Fig. 14: speedup of Jacobi's method with 128 threads, by number of processors."""

import pandas as pd
from symlab.plot.figure import finished
from symlab.plot.repeats import averaged

SEQUENTIAL = "jacobi_threads-sequential"
STRATEGIES = {
    "jacobi_threads-memory-conscious": "memory-conscious",
    "jacobi_threads-central-pools": "central-pools",
    "jacobi_threads-memory-conscious-vtime": "vtime",
}


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """Tidy data, sorted: strategy, processors, speedup, spread_speedup. Speedup is relative to the
    program without threads on one processor."""
    done = finished(runs, ["image", "processors", "elapsed_us"]).copy()
    alone = done.loc[done["image"] == SEQUENTIAL, "elapsed_us"].mean()
    threaded = done[done["image"].isin(STRATEGIES)].copy()
    threaded["strategy"] = threaded["image"].map(STRATEGIES)
    threaded["speedup"] = alone / threaded["elapsed_us"]
    return averaged(threaded, ["strategy", "processors"], "speedup", "spread_speedup")
