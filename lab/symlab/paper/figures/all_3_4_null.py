# SPDX-License-Identifier: MIT
"""ALL Figs. 3.4 and 3.1: a thread with a backlog costs as much as a null thread alone.

T_a(1) is the time of a null thread on one processor, elapsed time / threads. L_a(n): see all-3.4.
"""

import pandas as pd
from matplotlib.axes import Axes

from symlab.paper.claims import Claim, judges
from symlab.paper.figure import Figure, Verdict, finished
from symlab.paper.measures.latency import costs, measure
from symlab.paper.names import STRATEGIES
from symlab.plot.curves import Curves, Plot, chosen

NULL, LATENCY, TIMES = "null_threads-", "thread_latency-", "-probes"
PROCESSORS = 18
BACKLOG = (30, 36, 42, 48, 54)  # runnable threads


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """Columns processors, strategy, runnable, cost_us, null_us, sorted.

    cost_us: L_a(n) on this number of processors. null_us: T_a(1), equal in all rows of a strategy.
    """
    done = finished(runs, ["image", "processors", "us_per_thread"])
    null = done[(done["processors"] == 1) & _of(done, NULL)]
    alone = null.groupby(_strategy(null, NULL))["us_per_thread"].mean().rename("null_us")
    backlog = runs[_of(runs, LATENCY)]
    backlog = backlog.assign(strategy=_strategy(backlog, LATENCY), times="probes")
    data = costs(backlog)[["processors", "strategy", "runnable", "cost_us"]]
    return data.merge(alone, left_on="strategy", right_index=True)


PLOT = Plot(
    "ratio",
    "Cost of a thread / that of a null thread alone",
    "strategy",
    x="runnable",
    x_label="Runnable threads",
    where={"processors": PROCESSORS},
)


def draw(ax: Axes, data: pd.DataFrame) -> None:
    PLOT(ax, data.assign(ratio=data["cost_us"] / data["null_us"]))


@judges("ALL-26", "|L_a(n)/T_a(1) - 1| <= 0.15, n >= 30, each strategy")
def all_26(claim: Claim, data: pd.DataFrame) -> Verdict:
    shown = chosen(data, processors=PROCESSORS)
    cost, alone = (
        Curves.of(shown, y, "runnable", "strategy", symbol="n").require(STRATEGIES, BACKLOG)
        for y in ("cost_us", "null_us")
    )
    points = [(strategy, n) for strategy in STRATEGIES for n in BACKLOG]
    distances = {f"{s}, n={n}": abs(cost[s, n] / alone[s, n] - 1) for s, n in points}
    return claim.at_most(distances, 0.15, "{}")


def _of(runs: pd.DataFrame, program: str) -> pd.Series:
    return runs["image"].astype(str).str.startswith(program)


def _strategy(runs: pd.DataFrame, program: str) -> pd.Series:
    return runs["image"].astype(str).str.removeprefix(program).str.removesuffix(TIMES)


FIGURE = Figure(series, draw, (all_26,), measure, tidy=True)
