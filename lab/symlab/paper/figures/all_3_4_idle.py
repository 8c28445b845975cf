# SPDX-License-Identifier: MIT
"""ALL sections 2 and 3.1: idle processors read the queue before they lock, so they lock nothing.

Two threads run and 16 processors idle, in one run for 10 ms and in another for 60 ms. The
difference between the two runs is 50 ms of idling.
"""

import pandas as pd
from matplotlib.axes import Axes

from symlab.errors import NotRun
from symlab.paper.claims import Claim, judges
from symlab.paper.figure import Figure, Verdict, finished
from symlab.paper.measures.latency import measure
from symlab.paper.names import CENTRAL

STRATEGIES = (*CENTRAL, "local-readyq")


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """One row per strategy: idle_us and attempts, the increase from the short to the long run.

    idle_us: idle time of all processors. attempts: their attempts at locks of the thread package.
    """
    columns = ["strategy", "rest_us", "idle_us", "package_attempts"]
    done = finished(runs, columns).sort_values(["strategy", "rest_us"], kind="stable")
    groups = done.groupby("strategy", sort=True)[["idle_us", "package_attempts"]]
    added = (groups.last() - groups.first())[groups.size() > 1].reset_index()
    return added.rename(columns={"package_attempts": "attempts"})


def draw(ax: Axes, data: pd.DataFrame) -> None:
    ax.plot(data["strategy"], data["attempts"], "o", color="#000000")
    ax.tick_params(axis="x", rotation=30)
    ax.set_xlabel("Strategy")
    ax.set_ylabel("Lock attempts in 50 ms of idling")
    ax.set_ylim(-0.5, max(10.0, *data["attempts"], 0.0))


@judges("ALL-79", "idle processors' attempts at a lock while the queues are empty: 0")
def all_79(claim: Claim, data: pd.DataFrame) -> Verdict:
    idled = data[data["idle_us"] > 0].set_index("strategy")["attempts"]
    if missing := [name for name in STRATEGIES if name not in idled]:
        raise NotRun(", ".join(missing))
    attempts = {name: float(count) for name, count in idled.items()}
    return claim.at_most(attempts, 0.0, "most: {}")


FIGURE = Figure(series, draw, (all_79,), measure)
