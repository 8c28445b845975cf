# SPDX-License-Identifier: MIT
"""ALL Fig. 3.5: queues searched by number n of runnable threads, with 18 processors and queues.

For n < 18, 18 - n processors idle and search for a single thread; the first one to reach its queue
gets it. For n > 18, n - 18 threads wait and one processor searches. The figure compares Equation
3.1 with the number counted in the guest's search.

ALL-36 and ALL-37 are judged in all-3.5-scans.
"""

import pandas as pd
from matplotlib.axes import Axes

from symlab.paper.claims import Claim, judges
from symlab.paper.figure import Figure, Verdict, finished
from symlab.paper.measures.searching import equation, measure
from symlab.plot.curves import Curves

QUEUES = 18
TOLERANCE = 0.05  # our tolerance for counted numbers; the paper gives none
# E(r, 18) for r = 1 to 10, derived from Equation 3.1 (ALL-33).
DERIVED = (9.500, 6.509, 5.014, 4.119, 3.523, 3.099, 2.782, 2.537, 2.342, 2.182)
# E by number of runnable threads, on both sides of 18 (ALL-34).
POINTS = {17: 9.500, 19: 9.500, 9: 2.342, 27: 2.342, 36: 1.530}


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """One row per run, sorted: runnable, r, equation, counted.

    r: number of idle processors or of waiting threads. counted: mean number of queues examined by
    the processor that finds the thread.
    """
    done = finished(runs, ["runnable", "ready", "searching", "rounds", "examined"]).copy()
    done["r"] = (done["runnable"] - QUEUES).abs()
    others = (done["searching"] - 1) * QUEUES  # the others examine each queue once
    done["counted"] = done["examined"] / done["rounds"] - others
    done["equation"] = [float(equation(int(r), QUEUES)) for r in done["r"]]
    columns = ["runnable", "r", "equation", "counted"]
    return done[columns].round(6).sort_values("runnable", ignore_index=True)


def draw(ax: Axes, data: pd.DataFrame) -> None:
    sides = (data[data["runnable"] < QUEUES], data[data["runnable"] > QUEUES])
    marks = {"color": "#D55E00", "marker": "o", "linestyle": "", "markersize": 4}
    for side, hidden in zip(sides, ("", "_"), strict=True):  # the legend has each name once
        equation, counted = f"{hidden}Equation 3.1", f"{hidden}counted"
        ax.plot(side["runnable"], side["equation"], color="#000000", label=equation)
        ax.plot(side["runnable"], side["counted"], label=counted, **marks)
    ax.legend(frameon=False, fontsize="small", loc="upper right")
    ax.set_xlabel("Runnable threads")
    ax.set_ylabel("Queues searched")
    ax.set_ylim(bottom=0)


@judges("ALL-32", "one thread waits: 9.5 +- 5 % queues examined")
def all_32(claim: Claim, data: pd.DataFrame) -> Verdict:
    half = (QUEUES + 1) / 2
    return claim.at_most({19: abs(_counted(data)["", 19] / half - 1)}, TOLERANCE, "n={}")


@judges("ALL-33", "Equation 3.1 gives the derived E(r, 18) +- 0.001, r = 1 to 10; counted +- 5 %")
def all_33(claim: Claim, data: pd.DataFrame) -> Verdict:
    threads = range(QUEUES + 1, QUEUES + 1 + len(DERIVED))
    counted, computed = _counted(data), _counted(data, "equation")
    counted.require([""], threads)
    derived = dict(zip(threads, DERIVED, strict=True))
    errors = {n - QUEUES: abs(computed["", n] - value) for n, value in derived.items()}
    distances = {n - QUEUES: abs(counted["", n] / value - 1) for n, value in derived.items()}
    return claim.all_of(
        claim.at_most(errors, 0.001, note="Equation 3.1 against derived, r={}"),
        claim.at_most(distances, TOLERANCE, note="counted against derived, r={}"),
    )


@judges(
    "ALL-34", "queues counted +- 5 % by n; 17: 9.500, 19: 9.500, 9: 2.342, 27: 2.342, 36: 1.530"
)
def all_34(claim: Claim, data: pd.DataFrame) -> Verdict:
    counted = _counted(data).at("", POINTS)
    distances = {n: abs(counted[n] / value - 1) for n, value in POINTS.items()}
    return claim.at_most(distances, TOLERANCE, "n={}")


def _counted(data: pd.DataFrame, y: str = "counted") -> Curves:
    return Curves.of(data.assign(curve=""), y, "runnable", "curve", symbol="n")


FIGURE = Figure(series, draw, (all_32, all_33, all_34), measure, tidy=True)
