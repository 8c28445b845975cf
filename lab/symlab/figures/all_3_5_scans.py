# SPDX-License-Identifier: MIT
"""ALL section 3.7: what disturbs a scan of 18 local ready queues in which r threads wait.

The guest counts the queues examined in two cases: another thread arrives during the scan, or two
processors search at the same time. E is Equation 3.1.

Claims ALL-36, ALL-37.
"""

import pandas as pd
from matplotlib.axes import Axes

from symlab.claims import Claim
from symlab.curves import Curves, plot_curves
from symlab.figure import Figure, Verdict, finished
from symlab.searching import equation, measure

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


def draw(ax: Axes, data: pd.DataFrame) -> None:
    plot_curves(ax, data, "threads", "counted", curve="disturbance")
    ax.set_xlabel("Threads waiting in 18 queues")
    ax.set_ylabel("Queues searched")


def all_36(data: pd.DataFrame) -> Verdict:
    """If a thread arrives during a scan, the cost is between those with r and r + 1 threads."""
    statement = "E(r+1,18) <= queues examined <= E(r,18), but for chance, for r = 1 to 10"
    claim = Claim("ALL-36", "ALL section 3.7", statement)
    counted = _curves(data)
    there = [r for r in READY if (ARRIVING, r) in counted]
    above = {r: counted[ARRIVING, r] / _equation(r + 1) for r in there}
    below = {r: counted[ARRIVING, r] / _equation(r) for r in there}
    missing = counted.missing([ARRIVING], READY)
    return claim.all_of(
        claim.at_least(above, 1 - CHANCE, missing, "of E(r+1), r={}"),
        claim.at_most(below, 1 + CHANCE, missing, "of E(r), r={}"),
    )


def all_37(data: pd.DataFrame) -> Verdict:
    """If a second processor becomes idle during a scan, the costs of the two scans add."""
    statement = "queues examined by both within 5 % of E(r,18) + E(r-1,18), for r = 2 to 10"
    claim = Claim("ALL-37", "ALL section 3.7", statement)
    counted = _curves(data)
    distances = {
        r: abs(counted[BOTH, r] / (_equation(r) + _equation(r - 1)) - 1)
        for r in READY
        if r >= 2 and (BOTH, r) in counted
    }
    return claim.at_most(distances, 0.05, counted.missing([BOTH], READY[1:]), "r={}")


def _equation(r: int) -> float:
    return float(equation(r, QUEUES))


def _curves(data: pd.DataFrame) -> Curves:
    return Curves.of(data, "counted", x="threads", curve="disturbance", symbol="r")


FIGURE = Figure(
    id="all-3.5-scans",
    config="configs/figures/ALL/section-3.7-scans.toml",
    claims=(all_36, all_37),
    series=series,
    draw=draw,
    measure=measure,
    quick={"guest.args.threads": 2, "guest.args.rounds": 20},
)
