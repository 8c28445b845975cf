# SPDX-License-Identifier: MIT
"""URPC Fig. 3: latency of a null call by the number of calling threads.

B. N. Bershad, T. E. Anderson, E. D. Lazowska, H. M. Levy, "User-Level Interprocess Communication
for Shared Memory Multiprocessors", 1991. C, S, T: client processors, server processors, threads
that call; Lat and Thr: latency and throughput.
"""

import pandas as pd
from symlab.plot.curves import Plot
from symlab.plot.figure import Figure, Verdict
from symlab_papers.claims import Claim, judges
from symlab_papers.measures.calls import (
    DONATED,
    PAIRED,
    PROCESSORS,
    THREADS,
    calls,
    curves,
    measure,
)

NULL_CALL_US = 93.0
NULL_CALL_TOLERANCE_US = 9.0
CALLS = 100_000
IDLE = (0.30, 0.60)


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """Tidy data, sorted: pair, threads, latency_us, spread_us, calls (by each thread), idle_least,
    idle_most (shares of time, of the run's processors)."""
    return calls(runs, "latency_us", "spread_us", ["calls", "idle_least", "idle_most"])


draw = Plot("latency_us", "Latency (us)", "pair", "threads", "Threads that call")


@judges("URPC-01", "|Lat - 93 us| <= 9 us at T=C=S=1")
def urpc_01(claim: Claim, data: pd.DataFrame) -> Verdict:
    return claim.near(curves(data, "latency_us")[PAIRED, 1], NULL_CALL_US, NULL_CALL_TOLERANCE_US)


@judges("URPC-21", "Lat(T+1) > Lat(T) for T >= C+S, S > 0")
def urpc_21(claim: Claim, data: pd.DataFrame) -> Verdict:
    latency = curves(data, "latency_us")
    pairs = {
        f"{pair}, T={t + 1} and {t}": latency.pair((pair, t), (pair, t + 1))
        for pair, processors in PROCESSORS.items()
        if pair != DONATED
        for t in range(processors, THREADS[-1])
    }
    return claim.ordered(pairs, "{}")


@judges("URPC-24", "each processor idles for 30 to 60 % of the time at T=C=S=1")
def urpc_24(claim: Claim, data: pd.DataFrame) -> Verdict:
    least, most = (curves(data, name)[PAIRED, 1] for name in ("idle_least", "idle_most"))
    return claim.between({"least": least, "most": most}, *IDLE, "the processor that idles {}")


@judges("URPC-25", "each thread makes 100,000 null calls, timed from stub to stub")
def urpc_25(claim: Claim, data: pd.DataFrame) -> Verdict:
    made = curves(data, "calls").require(PROCESSORS, THREADS).values
    return claim.at_least({f"{pair}, T={t:g}": n for (pair, t), n in made.items()}, CALLS, "{}")


@judges("URPC-26", "Lat/T falls with T at S=0")
def urpc_26(claim: Claim, data: pd.DataFrame) -> Verdict:
    latency = curves(data, "latency_us")
    each = {t: latency.ranged(DONATED, t) * (1 / t) for t in THREADS}
    pairs = {f"T={t + 1} and {t}": (each[t + 1], each[t]) for t in THREADS[:-1]}
    return claim.ordered(pairs, "{}")


FIGURE = Figure(
    series, draw, (urpc_01, urpc_21, urpc_24, urpc_25, urpc_26), measure=measure, tidy=True
)
