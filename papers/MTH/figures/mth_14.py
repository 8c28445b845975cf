# SPDX-License-Identifier: MIT
"""MTH Fig. 14: speedup of Jacobi's method with 128 threads, by number of processors."""

from itertools import pairwise

import pandas as pd
from symlab.errors import NotRun
from symlab.plot.curves import Curves, Plot
from symlab.plot.figure import Figure, Verdict, finished
from symlab.plot.repeats import averaged
from symlab_papers.claims import Claim, judges
from symlab_papers.expressions import claims

SEQUENTIAL = "jacobi_threads-sequential"
STRATEGIES = {
    "jacobi_threads-memory-conscious": "memory-conscious",
    "jacobi_threads-central-pools": "central-pools",
    "jacobi_threads-memory-conscious-vtime": "vtime",
}
MCS, CEN, VTIME = STRATEGIES.values()
NODE = 8
ALIKE, APART = 0.15, 1.5


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


@judges("MTH-04")
def mth_04(claim: Claim, data: pd.DataFrame) -> Verdict:
    speedup = _speedup(data)
    beyond = _beyond(speedup, MCS, NODE)
    return claim.ordered(
        {f"P={b:g}": speedup.pair((MCS, a), (MCS, b)) for a, b in pairwise(beyond)}, "{}"
    )


@judges("MTH-05")
def mth_05(claim: Claim, data: pd.DataFrame) -> Verdict:
    speedup = _speedup(data)
    more = [p for p in _beyond(speedup, CEN, NODE) if p > NODE]
    return claim.ordered({f"P={p:g}": speedup.pair((CEN, p), (CEN, NODE)) for p in more}, "{}")


@judges("MTH-06")
def mth_06(claim: Claim, data: pd.DataFrame) -> Verdict:
    speedup = _speedup(data)
    few = [p for p in speedup.curve(MCS) if p <= NODE]
    near = {f"P={p:g}": abs(speedup[MCS, p] / speedup[CEN, p] - 1) for p in few}
    far = {"16": speedup[MCS, 16] / speedup[CEN, 16]}
    return claim.all_of(
        claim.at_most(near, ALIKE, "difference, {}"), claim.at_least(far, APART, "at P={}")
    )


def _speedup(data: pd.DataFrame) -> Curves:
    return Curves.of(data, "speedup", curve="strategy")


def _beyond(speedup: Curves, strategy: str, first: int) -> list[float]:
    """Numbers of processors from `first` on. Raises NotRun if there are fewer than two."""
    found = [p for p in speedup.curve(strategy) if p >= first]
    if len(found) < 2:
        raise NotRun(f"{strategy} on more than {first} processors")
    return found


NAMES = {"MCS": MCS, "CEN": CEN, "VTIME": VTIME}
CLAIMS = claims("mth-14", mth_04, mth_05, mth_06, J=_speedup, **NAMES)
FIGURE = Figure(series, draw, CLAIMS, tidy=True)
