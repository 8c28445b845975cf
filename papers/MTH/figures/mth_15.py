# SPDX-License-Identifier: MIT
"""MTH Fig. 15: locks per second of threads that synchronise in couples, by number of processors."""

from itertools import pairwise

import numpy as np
import pandas as pd
from symlab.plot.curves import Curves, Plot
from symlab.plot.figure import Figure, Verdict, finished
from symlab.plot.repeats import averaged
from symlab_papers.claims import Claim, judges
from symlab_papers.expressions import claims

MCS, CEN = "memory-conscious", "central-pools"
NODE = 8  # processors
LINEAR, RISE = 0.98, 6.0


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """Tidy data, sorted: strategy, processors, locks_per_second, spread_per_second."""
    done = finished(runs, ["strategy", "processors", "locks_per_second"]).copy()
    return averaged(
        done, ["strategy", "processors"], "locks_per_second", "spread_per_second"
    )  # fmt: skip


draw = Plot("locks_per_second", "Locks per second", "strategy")


@judges("MTH-07")
def mth_07(claim: Claim, data: pd.DataFrame) -> Verdict:
    rate = _rate(data)
    up_to_node = [p for p in rate.curve(CEN) if 2 <= p <= NODE]
    falls = {f"P={b:g}": rate.pair((CEN, b), (CEN, a)) for a, b in pairwise(up_to_node)}
    half = rate[CEN, NODE] / rate[CEN, 2]
    return claim.all_of(
        claim.ordered(falls, "the rate before, {}"),
        claim.at_most({"": half}, 0.5, "Q(8)/Q(2)"),
    )


@judges("MTH-08")
def mth_08(claim: Claim, data: pd.DataFrame) -> Verdict:
    rate = _rate(data)
    curve = {p: q for p, q in rate.curve(MCS).items() if p <= NODE}
    if len(curve) < 3:
        return claim.not_run("processors up to 8")
    return claim.all_of(
        claim.at_least({"": _r_squared(curve)}, LINEAR, "R^2"),
        claim.at_least({"": rate[MCS, NODE] / rate[MCS, 1]}, RISE, "Q(8)/Q(1)"),
    )


@judges("MTH-10")
def mth_10(claim: Claim, data: pd.DataFrame) -> Verdict:
    rate = _rate(data)
    beyond = [p for p in rate.curve(MCS) if p >= 10]
    if len(beyond) < 2:
        return claim.not_run("processors from 10 on")
    return claim.ordered(
        {f"P={b:g}": rate.pair((MCS, a), (MCS, b)) for a, b in pairwise(beyond)}, "{}"
    )


def _rate(data: pd.DataFrame) -> Curves:
    return Curves.of(data, "locks_per_second", curve="strategy")


def _r_squared(curve: dict[float, float]) -> float:
    """Of the straight line through the points."""
    return float(np.corrcoef(list(curve), list(curve.values()))[0, 1] ** 2)


CLAIMS = claims("mth-15", mth_07, mth_08, mth_10, Q=_rate, MCS=MCS)
FIGURE = Figure(series, draw, CLAIMS, tidy=True)
