# SPDX-License-Identifier: MIT
"""ALL Fig. 3.4: cost of a thread L_a(n), by number n of runnable threads, with 18 processors.

An event is the creation of a thread and its later finish; events do not overlap. While processors
idle (n < 18), the cost is the time from creation to start. Otherwise it is the time of the creation
plus the time from a finish to the next start. With n = 18 only the new thread waits.

ALL-26 is judged in all-3.4-null, ALL-38 in all-3.4-queues, ALL-79 in all-3.4-idle.
"""

from functools import partial

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from symlab.paper.claims import Claim, judges
from symlab.paper.figure import Figure, Verdict
from symlab.paper.measures.latency import costs, measure
from symlab.paper.measures.searching import equation
from symlab.paper.names import FREELIST, IDLE, LOCAL
from symlab.plot.curves import Curves, Plot
from symlab.plot.failures import mark_failures
from symlab.plot.repeats import over_repeats

PROCESSORS = 18
MOST = 54  # largest number of runnable threads
ABOUT_EQUAL = 0.1  # our reading of "about equal"; the paper gives no number


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """The columns of `latency.costs`, with cost_us and its spread_us first.

    It drops processors, which is always 18, and the columns of clock reads (all-3.4-stamps).
    """
    data = over_repeats(costs, runs, ["strategy", "runnable"], "cost_us", "spread_us")
    return data.drop(columns=["processors", "stamps_cost_us", "stamps_more_us"])


PLOT = Plot("cost_us", "Cost of a thread (µs)", "strategy", "runnable", "Runnable threads")


def draw(ax: Axes, data: pd.DataFrame) -> None:
    PLOT(ax, data)
    ax.axvline(PROCESSORS, color="0.8", linewidth=0.8, zorder=0)
    ax.set_xlim(0, MOST + 0.5)
    if len(data):
        ax.legend(frameon=False, fontsize="small", ncol=2, loc="lower right")


@judges(
    "ALL-27",
    "L_lfl(17) < L_lfl(19); time in thread management per thread, create, start and finish, at "
    "n = 19 within 10 % of that at 17",
)
def all_27(claim: Claim, data: pd.DataFrame) -> Verdict:
    cost = _costs(data).require([FREELIST], (17, 19))
    management = _curves(data, "management_us").require([FREELIST], (17, 19))
    jump = abs(management[FREELIST, 19] / management[FREELIST, 17] - 1)
    pair = cost.pair(less=(FREELIST, 17), more=(FREELIST, 19))
    return claim.all_of(
        claim.ordered({"": pair}, note="L(17) over L(19)"),
        claim.at_most({"": jump}, ABOUT_EQUAL, note="jump with one definition"),
    )


@judges("ALL-28", "L_idleq(n) < L_lfl(n) for all n = 2 to 16")
def all_28(claim: Claim, data: pd.DataFrame) -> Verdict:
    return _cheaper(claim, data, IDLE, FREELIST, range(2, 17))


@judges("ALL-29", "L_idleq(n) > L_lfl(n) for all n = 20 to 54")
def all_29(claim: Claim, data: pd.DataFrame) -> Verdict:
    return _cheaper(claim, data, FREELIST, IDLE, range(20, MOST + 1))


@judges("ALL-30", "L_lfl(14) < L_lfl(2)")
def all_30(claim: Claim, data: pd.DataFrame) -> Verdict:
    cost = _costs(data).require([FREELIST], (2, 14))
    pair = cost.pair(less=(FREELIST, 14), more=(FREELIST, 2))
    return claim.ordered({"": pair}, note="L(14) over L(2)")


@judges(
    "ALL-31",
    "argmax L_lrq in 16 to 20, of n = 1 to 54; maximum at least 1.3 times L_lrq(9) and L_lrq(36)",
)
def all_31(claim: Claim, data: pd.DataFrame) -> Verdict:
    cost = _costs(data).require([LOCAL], range(1, MOST + 1))
    peak = cost.peak(LOCAL)
    ratios = {n: cost[LOCAL, peak] / cost[LOCAL, n] for n in (9, 36)}
    return claim.all_of(
        claim.at_most({"": abs(peak - PROCESSORS)}, 2, note=f"distance of the peak n={peak:g}"),
        claim.at_least(ratios, 1.3, note="maximum over L_lrq({})"),
    )


@judges(
    "ALL-35",
    "correlation of L_lrq(n) with E(18 - n, 18), n = 1 to 17, and with E(n - 18, 18), n = 19 to"
    " 54, each >= 0.9",
)
def all_35(claim: Claim, data: pd.DataFrame) -> Verdict:
    sides = {"below 18": range(1, PROCESSORS), "above 18": range(PROCESSORS + 1, MOST + 1)}
    cost = _costs(data).require([LOCAL], [n for side in sides.values() for n in side])
    correlations = {}
    for name, side in sides.items():
        searched = [float(equation(abs(n - PROCESSORS), PROCESSORS)) for n in side]
        correlations[name] = float(np.corrcoef([cost[LOCAL, n] for n in side], searched)[0, 1])
    return claim.at_least(correlations, 0.9, note="correlation {}, the lower")


def _cheaper(claim: Claim, data: pd.DataFrame, less: str, more: str, n: range) -> Verdict:
    cost = _costs(data)
    return claim.ordered(cost.ordered(less, more, n), f"{less} over {more}, largest at n={{}}")


_curves = partial(Curves.of, x="runnable", curve="strategy", symbol="n")
_costs = partial(_curves, y="cost_us", spread="spread_us")

_FAILURES = partial(mark_failures, x="runnable", curve="strategy")
_CLAIMS = (all_27, all_28, all_29, all_30, all_31, all_35)
FIGURE = Figure(series, draw, _CLAIMS, measure, tidy=True, failures=_FAILURES)
