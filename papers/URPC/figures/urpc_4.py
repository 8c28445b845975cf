# SPDX-License-Identifier: MIT
"""URPC Fig. 4: null calls per second by the number of calling threads."""

from functools import partial

import pandas as pd
from symlab.plot.curves import Plot
from symlab.plot.figure import Figure
from symlab_papers.expressions import claims
from symlab_papers.measures.calls import (
    DONATED,
    DOUBLE,
    PAIRED,
    PROCESSORS,
    calls,
    curves,
)


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """Tidy data, sorted: pair, threads, calls_per_s, spread_per_s."""
    return calls(runs, "calls_per_s", "spread_per_s")


draw = Plot("calls_per_s", "Null calls per second", "pair", "threads", "Threads that call")


CLAIMS = claims(
    "urpc-4", PAIRED=PAIRED, DONATED=DONATED, DOUBLE=DOUBLE, N=PROCESSORS,
    R=partial(curves, y="calls_per_s"),
)  # fmt: skip
FIGURE = Figure(series, draw, CLAIMS, tidy=True)
