# SPDX-License-Identifier: MIT
"""MTH Fig. 14: speedup of Jacobi's method with 128 threads, by number of processors."""

from itertools import pairwise

import pandas as pd
from symlab.errors import NotRun
from symlab.plot.curves import Curves, Plot
from symlab.plot.figure import Figure, Verdict, finished
from symlab.plot.repeats import averaged
from symlab_papers.claims import Claim, judges

SEQUENTIAL = "jacobi_threads-sequential"
STRATEGIES = {
    "jacobi_threads-memory-conscious": "memory-conscious",
    "jacobi_threads-central-pools": "central-pools",
    "jacobi_threads-memory-conscious-vtime": "vtime",
}
MCS, CEN, VTIME = STRATEGIES.values()
NODE = 8
WITHIN, ALIKE, APART = 6.5, 0.15, 1.5
FASTER = 1.15, 1.35  # threads with VTime than one process


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """Tidy data, sorted: strategy, processors, speedup, spread_speedup.

    Speedup is relative to the program without threads on one processor.
    """
    done = finished(runs, ["image", "processors", "elapsed_us"]).copy()
    alone = done.loc[done["image"] == SEQUENTIAL, "elapsed_us"].mean()
    threaded = done[done["image"].isin(STRATEGIES)].copy()
    threaded["strategy"] = threaded["image"].map(STRATEGIES)
    threaded["speedup"] = alone / threaded["elapsed_us"]
    return averaged(threaded, ["strategy", "processors"], "speedup", "spread_speedup")


draw = Plot("speedup", "Speedup", "strategy")


@judges("MTH-03", "J(8) >= 6.5 for MCS and CEN")
def mth_03(claim: Claim, data: pd.DataFrame) -> Verdict:
    speedup = _speedup(data)
    return claim.at_least({s: speedup[s, NODE] for s in (MCS, CEN)}, WITHIN, "{}")


@judges("MTH-04", "J_MCS rises for P > 8")
def mth_04(claim: Claim, data: pd.DataFrame) -> Verdict:
    speedup = _speedup(data)
    beyond = _beyond(speedup, MCS, NODE)
    return claim.ordered(
        {f"P={b:g}": speedup.pair((MCS, a), (MCS, b)) for a, b in pairwise(beyond)}, "{}"
    )


@judges("MTH-05", "J_CEN(P) < J_CEN(8) for P > 8")
def mth_05(claim: Claim, data: pd.DataFrame) -> Verdict:
    speedup = _speedup(data)
    more = [p for p in _beyond(speedup, CEN, NODE) if p > NODE]
    return claim.ordered({f"P={p:g}": speedup.pair((CEN, p), (CEN, NODE)) for p in more}, "{}")


@judges("MTH-06", "J_MCS/J_CEN within 15 % of 1 for P <= 8, >= 1.5 at 16")
def mth_06(claim: Claim, data: pd.DataFrame) -> Verdict:
    speedup = _speedup(data)
    few = [p for p in speedup.curve(MCS) if p <= NODE]
    near = {f"P={p:g}": abs(speedup[MCS, p] / speedup[CEN, p] - 1) for p in few}
    far = {"16": speedup[MCS, 16] / speedup[CEN, 16]}
    return claim.all_of(
        claim.at_most(near, ALIKE, "difference, {}"), claim.at_least(far, APART, "at P={}")
    )


@judges("MTH-17", "J_VTime(1) from 1.15 to 1.35")
def mth_17(claim: Claim, data: pd.DataFrame) -> Verdict:
    return claim.between({"": _speedup(data)[VTIME, 1]}, *FASTER)


def _speedup(data: pd.DataFrame) -> Curves:
    return Curves.of(data, "speedup", curve="strategy")


def _beyond(speedup: Curves, strategy: str, first: int) -> list[float]:
    """Numbers of processors from `first` on. Raises NotRun if there are fewer than two."""
    found = [p for p in speedup.curve(strategy) if p >= first]
    if len(found) < 2:
        raise NotRun(f"{strategy} on more than {first} processors")
    return found


FIGURE = Figure(series, draw, (mth_03, mth_04, mth_05, mth_06, mth_17), tidy=True)
