# SPDX-License-Identifier: MIT
"""Speedup of thread programs by strategy and number of processors.

Speedup is relative to one processor with the strategy that is fastest there. So a strategy that is
slow with any number of processors does not look good.
"""

import pandas as pd
from symlab.plot.curves import Plot
from symlab.plot.figure import Figure, finished
from symlab.plot.repeats import averaged


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """Tidy data, sorted: columns strategy, processors, elapsed_us, spread_us, speedup. Speedup is
    NaN if there is no run on one processor."""
    done = finished(runs, ["processors", "strategy", "elapsed_us"])
    data = averaged(done, ["strategy", "processors"], "elapsed_us", "spread_us")
    base_us = data.loc[data["processors"] == 1, "elapsed_us"].min()
    return data.assign(speedup=base_us / data["elapsed_us"])


draw = Plot("speedup", "Speedup over one processor", "strategy", axes={"xlim": (0, None)})

FIGURE = Figure(series, draw, tidy=True, failures=draw.failures)
