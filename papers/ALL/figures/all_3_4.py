# SPDX-License-Identifier: MIT
"""ALL Fig. 3.4: cost of a thread L_a(n), by number n of runnable threads, with 18 processors.

An event is the creation of a thread and its later finish; events do not overlap. While processors
idle (n < 18), the cost is the time from creation to start. Otherwise it is the time of the creation
plus the time from a finish to the next start. With n = 18 only the new thread waits.

The companions are all-3.4-idle, all-3.4-null, all-3.4-queues and all-3.4-stamps.
"""

from functools import partial

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from symlab.errors import NotRun
from symlab.plot.curves import Curves, Plot, chosen
from symlab.plot.figure import Figure, Verdict, finished
from symlab.plot.repeats import over_repeats
from symlab_papers.claims import Claim, judges
from symlab_papers.expressions import claims
from symlab_papers.measures.fits import line_fit
from symlab_papers.measures.latency import PROCESSORS, costs, measure
from symlab_papers.measures.searching import equation
from symlab_papers.names import CENTRAL, LOCAL

MOST = 54  # largest number of runnable threads
NULL, LATENCY, TIMES = "null_threads-", "thread_latency-", "-probes"  # parts of an image's name
QUEUES = (6, 12, 18)  # processors, each with a queue, of ALL-38
SEARCHING = (*CENTRAL, "local-readyq")  # strategies whose idle processors ALL-79 looks at


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """The columns of `latency.costs`, with cost_us and its spread_us first. It drops processors,
    which is always 18, and the columns of clock reads (all-3.4-stamps)."""
    data = over_repeats(costs, runs, ["strategy", "runnable"], "cost_us", "spread_us")
    return data.drop(columns=["processors", "stamps_cost_us", "stamps_more_us"])


# Every figure here but that of idling is drawn over the number of runnable threads.
_plot = partial(Plot, x="runnable", x_label="Runnable threads")
COST = "Cost of a thread (us)"
PLOT = _plot("cost_us", COST, "strategy")


def draw(ax: Axes, data: pd.DataFrame) -> None:
    PLOT(ax, data)
    ax.axvline(PROCESSORS, color="0.8", linewidth=0.8, zorder=0)
    ax.set_xlim(0, MOST + 0.5)


@judges("ALL-35")
def all_35(claim: Claim, data: pd.DataFrame) -> Verdict:
    sides = {"below 18": range(1, PROCESSORS), "above 18": range(PROCESSORS + 1, MOST + 1)}
    cost = _costs(data).require([LOCAL], [n for side in sides.values() for n in side])
    correlations = {}
    for name, side in sides.items():
        searched = [float(equation(abs(n - PROCESSORS), PROCESSORS)) for n in side]
        correlations[name] = float(np.corrcoef([cost[LOCAL, n] for n in side], searched)[0, 1])
    return claim.at_least(correlations, 0.9, note="correlation {}, the lower")


_curves = partial(Curves.of, x="runnable", curve="strategy", symbol="n")
_costs = partial(_curves, y="cost_us")


# all-3.4-null, with Fig. 3.1: T_a(1) is the time of a null thread on one processor.


def null_series(runs: pd.DataFrame) -> pd.DataFrame:
    """Columns processors, strategy, runnable, cost_us, null_us, sorted. cost_us: L_a(n) on this
    number of processors. null_us: T_a(1), elapsed time / threads, equal in all rows of a
    strategy."""
    done = finished(runs, ["image", "processors", "us_per_thread"])
    null = done[(done["processors"] == 1) & _of(done, NULL)]
    alone = null.groupby(_strategy(null, NULL))["us_per_thread"].mean().rename("null_us")
    backlog = runs[_of(runs, LATENCY)]
    backlog = backlog.assign(strategy=_strategy(backlog, LATENCY), times="probes")
    data = costs(backlog)[["processors", "strategy", "runnable", "cost_us"]]
    return data.merge(alone, left_on="strategy", right_index=True)


def _of(runs: pd.DataFrame, program: str) -> pd.Series:
    return runs["image"].astype(str).str.startswith(program)


def _strategy(runs: pd.DataFrame, program: str) -> pd.Series:
    return runs["image"].astype(str).str.removeprefix(program).str.removesuffix(TIMES)


RATIO = "Cost of a thread / that of a null thread alone"
RATIO_PLOT = _plot("ratio", RATIO, "strategy", where={"processors": PROCESSORS})


def _of_18(data: pd.DataFrame, y: str) -> Curves:
    return _curves(chosen(data, processors=PROCESSORS), y=y)


def null_draw(ax: Axes, data: pd.DataFrame) -> None:
    RATIO_PLOT(ax, data.assign(ratio=data["cost_us"] / data["null_us"]))


# all-3.4-queues: the height of the spike is the largest minus the smallest cost of a thread for
# n = 1 to 3P. Relative to the number of processors P, which is also that of queues, this is the
# range of Fig. 3.4.

QUEUES_PLOT = _plot("cost_us", COST, "queues")


def queues_draw(ax: Axes, data: pd.DataFrame) -> None:
    names = [f"{q:2} queues" for q in data["processors"]]  # the padding sorts them in the legend
    QUEUES_PLOT(ax, data.assign(queues=names))


@judges("ALL-38")
def all_38(claim: Claim, data: pd.DataFrame) -> Verdict:
    named = data.assign(strategy="q=" + data["processors"].astype(str))
    cost = _curves(named, "cost_us")
    curves = [[cost[f"q={q}", n] for n in range(1, 3 * q + 1)] for q in QUEUES]
    heights = [max(curve) - min(curve) for curve in curves]
    slope, r2 = line_fit(np.array(QUEUES, dtype=float), np.array(heights))
    return claim.all_of(
        claim.judged(slope > 0, slope, 0.0, slope, "us per queue"),
        claim.at_least({"": r2}, 0.97, note=f"R^2; {slope:.3g} us per queue"),
    )


# all-3.4-stamps shows the column stamps_more_us of `latency.costs`.
STAMPS_PLOT = _plot("stamps_more_us", "Cost by clock reads - cost by probes (us)", "strategy")


# all-3.4-idle, of sections 2 and 3.1: two threads run and 16 processors idle, in one run for 10 ms
# and in another for 60 ms. The difference between the two runs is 50 ms of idling.


def idle_series(runs: pd.DataFrame) -> pd.DataFrame:
    """One row per strategy: idle_us and attempts, the increase from the short to the long run.
    idle_us: idle time of all processors. attempts: their attempts at locks of the thread
    package."""
    columns = ["strategy", "rest_us", "idle_us", "package_attempts"]
    done = finished(runs, columns).sort_values(["strategy", "rest_us"], kind="stable")
    groups = done.groupby("strategy", sort=True)[["idle_us", "package_attempts"]]
    added = (groups.last() - groups.first())[groups.size() > 1].reset_index()
    return added.rename(columns={"package_attempts": "attempts"})


def idle_draw(ax: Axes, data: pd.DataFrame) -> None:
    ax.plot(data["strategy"], data["attempts"], "o", color="#000000")
    ax.tick_params(axis="x", rotation=30)
    ax.set_xlabel("Strategy")
    ax.set_ylabel("Lock attempts in 50 ms of idling")
    ax.set_ylim(-0.5, max(10.0, *data["attempts"], 0.0))


@judges("ALL-79")
def all_79(claim: Claim, data: pd.DataFrame) -> Verdict:
    idled = data[data["idle_us"] > 0].set_index("strategy")["attempts"]
    if missing := [name for name in SEARCHING if name not in idled]:
        raise NotRun(", ".join(missing))
    attempts = {name: float(count) for name, count in idled.items()}
    return claim.at_most(attempts, 0.0, "most: {}")


CLAIMS = claims("all-3.4", all_35, C=_costs)
_figure = partial(Figure, measure=measure, tidy=True)
FIGURE = _figure(series, draw, CLAIMS, failures=PLOT.failures)
FIGURES = {
    "null": _figure(
        null_series,
        null_draw,
        claims("all-3.4-null", C=partial(_of_18, y="cost_us"), A=partial(_of_18, y="null_us")),
        caption="A thread with a backlog costs as much as a null thread alone.",
    ),
    "queues": _figure(
        costs,
        queues_draw,
        (all_38,),
        caption="The spike of ALL Fig. 3.4 by number of processors, each with a local ready queue.",
    ),
    "stamps": _figure(
        costs,
        STAMPS_PLOT,
        failures=STAMPS_PLOT.failures,
        caption="ALL Fig. 3.4 at a few points, timed by probes and by clock reads in the program.",
    ),
    "idle": Figure(
        idle_series,
        idle_draw,
        (all_79,),
        measure,
        caption="Idle processors read the queue before they lock, so they lock nothing.",
    ),
}
