# SPDX-License-Identifier: MIT
"""URPC Fig. 3: latency of a null call by the number of calling threads.

B. N. Bershad, T. E. Anderson, E. D. Lazowska, H. M. Levy, "User-Level Interprocess Communication
for Shared Memory Multiprocessors", 1991. C, S, T: client processors, server processors, threads
that call; Lat and Thr: latency and throughput.
"""

from functools import partial

import pandas as pd
from symlab.plot.curves import Plot
from symlab.plot.figure import Figure
from symlab_papers.expressions import claims
from symlab_papers.measures.calls import (
    DONATED,
    PAIRED,
    PROCESSORS,
    calls,
    curves,
    measure,
)


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """Tidy data, sorted: pair, threads, latency_us, spread_us, calls (by each thread), idle_least,
    idle_most (shares of time, of the run's processors)."""
    return calls(runs, "latency_us", "spread_us", ["calls", "idle_least", "idle_most"])


draw = Plot("latency_us", "Latency (us)", "pair", "threads", "Threads that call")


CLAIMS = claims(
    "urpc-3", PAIRED=PAIRED, DONATED=DONATED, N=PROCESSORS,
    L=partial(curves, y="latency_us"), C=partial(curves, y="calls"),
    A=partial(curves, y="idle_least"), B=partial(curves, y="idle_most"),
)  # fmt: skip
FIGURE = Figure(series, draw, CLAIMS, measure=measure, tidy=True)
