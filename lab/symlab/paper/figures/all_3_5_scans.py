# SPDX-License-Identifier: MIT
"""ALL section 3.7: what disturbs a scan of 18 local ready queues in which r threads wait.

The guest counts the queues examined in two cases: another thread arrives during the scan, or two
processors search at the same time. E is Equation 3.1.
"""

import pandas as pd

from symlab.paper.claims import Claim, judges
from symlab.paper.figure import Figure, Verdict, finished
from symlab.paper.measures.searching import equation, measure
from symlab.plot.curves import Curves, Plot

QUEUES = 18
READY = range(1, 11)
ARRIVING, BOTH = "a thread arrives", "two search"
# Relative error of a mean over 3000 rounds that chance exceeds in one of twenty cases: two standard
# errors. The standard deviation of the number examined is largest with one thread, where it is
# sqrt((q^2 - 1) / 12) = 5.2 at a mean of 9.5.
CHANCE = 2 * 5.2 / 9.5 / 3000**0.5


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """One row per run, sorted: disturbance, threads, counted.

    disturbance: ARRIVING, BOTH or "none". threads: waiting at the start. counted: mean number of
    queues examined.
    """
    columns = ["threads", "searchers", "arriving", "rounds", "examined"]
    done = finished(runs, columns).copy()
    done["counted"] = done["examined"] / done["rounds"]
    names = {(1, 0): "none", (1, 1): ARRIVING, (2, 0): BOTH}
    cases = zip(done["searchers"], done["arriving"], strict=True)
    done["disturbance"] = [names.get(case) for case in cases]
    kept = done.dropna(subset=["disturbance"])[["disturbance", "threads", "counted"]]
    return kept.sort_values(["disturbance", "threads"], ignore_index=True)


draw = Plot(
    "counted", "Queues searched", "disturbance", "threads", f"Threads waiting in {QUEUES} queues"
)


@judges("ALL-36", "E(r+1,18) <= queues examined <= E(r,18), but for chance, for r = 1 to 10")
def all_36(claim: Claim, data: pd.DataFrame) -> Verdict:
    counted = _curves(data).require([ARRIVING], READY)
    above = {r: counted[ARRIVING, r] / _equation(r + 1) for r in READY}
    below = {r: counted[ARRIVING, r] / _equation(r) for r in READY}
    return claim.all_of(
        claim.at_least(above, 1 - CHANCE, "of E(r+1), r={}"),
        claim.at_most(below, 1 + CHANCE, "of E(r), r={}"),
    )


@judges("ALL-37", "queues examined by both within 5 % of E(r,18) + E(r-1,18), for r = 2 to 10")
def all_37(claim: Claim, data: pd.DataFrame) -> Verdict:
    counted = _curves(data)
    distances = {
        r: abs(counted[BOTH, r] / (_equation(r) + _equation(r - 1)) - 1) for r in READY if r >= 2
    }
    return claim.at_most(distances, 0.05, "r={}")


def _equation(r: int) -> float:
    return float(equation(r, QUEUES))


def _curves(data: pd.DataFrame) -> Curves:
    return Curves.of(data, "counted", "threads", "disturbance", symbol="r")


FIGURE = Figure(series, draw, (all_36, all_37), measure)
