# SPDX-License-Identifier: MIT
"""ALL Fig. 3.5: queues searched by number n of runnable threads, with 18 processors and queues.

For n < 18, 18 - n processors idle and search for a single thread; the first one to reach its queue
gets it. For n > 18, n - 18 threads wait and one processor searches. The figure compares Equation
3.1 with the number counted in the guest's search.

The companions are all-3.5-scans and all-3.5-unlocked.
"""

from functools import partial
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from symlab.plot.curves import Curves, Plot
from symlab.plot.figure import Figure, finished
from symlab.plot.ticks import from_zero
from symlab_papers.expressions import claims
from symlab_papers.measures.searching import equation, measure

QUEUES = 18
# E(r, 18) for r = 1 to 10, derived from Equation 3.1 (ALL-33).
DERIVED = (9.500, 6.509, 5.014, 4.119, 3.523, 3.099, 2.782, 2.537, 2.342, 2.182)
# E by number of runnable threads, on both sides of 18 (ALL-34).
POINTS = {17: 9.500, 19: 9.500, 9: 2.342, 27: 2.342, 36: 1.530}
ARRIVING, BOTH = "a thread arrives", "two search"
# Relative error of a mean over 3000 rounds that chance exceeds in one of twenty cases: two standard
# errors. The standard deviation of the number examined is largest with one thread, where it is
# sqrt((q^2 - 1) / 12) = 5.2 at a mean of 9.5.
CHANCE = 2 * 5.2 / 9.5 / 3000**0.5
UNLOCKED = "unlocked-queues"


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """One row per run, sorted: runnable, r, equation, counted. r: number of idle processors or of
    waiting threads. counted: mean number of queues examined by the processor that finds the
    thread."""
    done = finished(runs, ["runnable", "ready", "searching", "rounds", "examined"]).copy()
    done["r"] = (done["runnable"] - QUEUES).abs()
    others = (done["searching"] - 1) * QUEUES  # the others examine each queue once
    done["counted"] = done["examined"] / done["rounds"] - others
    done["equation"] = [_equation(int(r)) for r in done["r"]]
    columns = ["runnable", "r", "equation", "counted"]
    return done[columns].round(6).sort_values("runnable", ignore_index=True)


def draw(ax: Axes, data: pd.DataFrame) -> None:
    sides = (data[data["runnable"] < QUEUES], data[data["runnable"] > QUEUES])
    marks: dict[str, Any] = {"color": "#D55E00", "marker": "o", "linestyle": "", "markersize": 4}
    for side, hidden in zip(sides, ("", "_"), strict=True):  # the legend has each name once
        equation, counted = f"{hidden}Equation 3.1", f"{hidden}counted"
        ax.plot(side["runnable"], side["equation"], color="#000000", label=equation)
        ax.plot(side["runnable"], side["counted"], label=counted, **marks)
    ax.legend(frameon=False, fontsize="small", loc="upper right")
    ax.set_xlabel("Runnable threads")
    ax.set_ylabel("Queues searched")
    from_zero(ax)


def _counted(data: pd.DataFrame, y: str = "counted") -> Curves:
    return Curves.of(data.assign(curve=""), y, "runnable", "curve", symbol="n")


def _equation(r: int) -> float:
    return float(equation(r, QUEUES))


# all-3.5-scans, of section 3.7: the guest counts the queues examined in two cases: another thread
# arrives during the scan, or two processors search at the same time. E is Equation 3.1.


def scans_series(runs: pd.DataFrame) -> pd.DataFrame:
    """One row per run, sorted: disturbance, threads, counted. disturbance: ARRIVING, BOTH or
    "none". threads: waiting at the start. counted: mean number of queues examined."""
    columns = ["threads", "searchers", "arriving", "rounds", "examined"]
    done = finished(runs, columns).copy()
    done["counted"] = done["examined"] / done["rounds"]
    names = {(1, 0): "none", (1, 1): ARRIVING, (2, 0): BOTH}
    cases = zip(done["searchers"], done["arriving"], strict=True)
    done["disturbance"] = [names.get(case) for case in cases]
    kept = done.dropna(subset=["disturbance"])[["disturbance", "threads", "counted"]]
    return kept.sort_values(["disturbance", "threads"], ignore_index=True)


WAITING = f"Threads waiting in {QUEUES} queues"
SCANS_PLOT = Plot("counted", "Queues searched", "disturbance", "threads", WAITING)


# all-3.5-unlocked: with unlocked queues, from which no other processor may take, two threads of one
# processor run one after the other.


def unlocked_series(runs: pd.DataFrame) -> pd.DataFrame:
    """Columns processors, strategy, elapsed_us, lives, sorted. lives: elapsed time divided by the
    time of one thread."""
    done = finished(runs, ["processors", "strategy", "elapsed_us", "us"]).copy()
    done["lives"] = done["elapsed_us"] / done["us"].astype(float)
    columns = ["processors", "strategy", "elapsed_us", "lives"]
    return done[columns].sort_values(["strategy", "processors"], ignore_index=True)


THREADS = "Processors, and equal threads"
UNLOCKED_PLOT = Plot("lives", "Elapsed time / that of a thread", "strategy", x_label=THREADS)


CLAIMS = claims(
    "all-3.5", N=_counted, Q=partial(_counted, y="equation"), DERIVED=DERIVED, POINTS=POINTS
)
FIGURE = Figure(series, draw, CLAIMS, measure, tidy=True)
FIGURES = {
    "scans": Figure(
        scans_series,
        SCANS_PLOT,
        claims(
            "all-3.5-scans",
            N=partial(SCANS_PLOT.curves, symbol="r"),
            E=lambda data: _equation,
            ARRIVING=ARRIVING,
            BOTH=BOTH,
            CHANCE=CHANCE,
        ),
        measure,
        caption="What disturbs a scan of 18 local ready queues in which r threads wait.",
    ),
    "unlocked": Figure(
        unlocked_series,
        UNLOCKED_PLOT,
        claims(
            "all-3.5-unlocked",
            T=partial(Curves.of, y="elapsed_us", curve="strategy"),
            UNLOCKED=UNLOCKED,
        ),
        failures=UNLOCKED_PLOT.failures,
        caption="Equal threads, one for each processor, but one processor gets two, one none.",
    ),
}
