# SPDX-License-Identifier: MIT
"""URPC Fig. 4: null calls per second by the number of calling threads."""

from itertools import pairwise

import pandas as pd
from symlab.plot.curves import Plot
from symlab.plot.figure import Figure, Verdict
from symlab_papers.claims import Claim, judges
from symlab_papers.measures.calls import (
    DONATED,
    DOUBLE,
    PAIRED,
    PROCESSORS,
    THREADS,
    US_PER_S,
    calls,
    curves,
)

PIPELINED_US = 53.0
PIPELINED_TOLERANCE_US = 5.0
FLAT = 0.05
FAR_BELOW = 0.5  # our reading


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """Tidy data, sorted: pair, threads, calls_per_s, spread_per_s."""
    return calls(runs, "calls_per_s", "spread_per_s")


draw = Plot("calls_per_s", "Null calls per second", "pair", "threads", "Threads that call")


@judges("URPC-03", "|1/Thr - 53 us| <= 5 us at C=S=1, T=2")
def urpc_03(claim: Claim, data: pd.DataFrame) -> Verdict:
    each = US_PER_S / curves(data, "calls_per_s")[PAIRED, 2]
    return claim.near(each, PIPELINED_US, PIPELINED_TOLERANCE_US)


@judges("URPC-19", "Thr at T=C=S=2 above the mean of Thr at T=1 and T=3")
def urpc_19(claim: Claim, data: pd.DataFrame) -> Verdict:
    rate = curves(data, "calls_per_s")
    line = (rate.ranged(DOUBLE, 1) + rate.ranged(DOUBLE, 3)) * 0.5
    return claim.ordered({"": (line, rate.ranged(DOUBLE, 2))})


@judges("URPC-22", "Thr rises to T=C+S, then stays within 5 %, S > 0")
def urpc_22(claim: Claim, data: pd.DataFrame) -> Verdict:
    rate = curves(data, "calls_per_s")
    rises, stays = {}, {}
    for pair, most in PROCESSORS.items():
        if pair == DONATED:
            continue
        for before, t in pairwise(range(1, most + 1)):
            rises[f"{pair}, T={t}"] = rate.pair((pair, before), (pair, t))
        for t in range(most + 1, THREADS[-1] + 1):
            stays[f"{pair}, T={t}"] = abs(rate[pair, t] / rate[pair, most] - 1)
    return claim.all_of(
        claim.ordered(rises, "the rate before, {}"), claim.at_most(stays, FLAT, "deviation, {}")
    )


@judges("URPC-23", "Thr(C=1, S=0) <= half of Thr(C=1, S=1) for all T")
def urpc_23(claim: Claim, data: pd.DataFrame) -> Verdict:
    rate = curves(data, "calls_per_s")
    ratios = {t: rate[DONATED, t] / rate[PAIRED, t] for t in THREADS}
    return claim.at_most(ratios, FAR_BELOW, "T={}")


FIGURE = Figure(series, draw, (urpc_03, urpc_19, urpc_22, urpc_23), tidy=True)
