# SPDX-License-Identifier: MIT
"""ALL section 4.4: read misses of idle processors for each thread that is created.

One processor creates threads while all others idle. An idle queue gives each processor a flag of
its own; with any other strategy idle processors look at the ready queues.

Claim ALL-60.
"""

from functools import partial

import pandas as pd
from matplotlib.axes import Axes

from symlab.by_activity import measure
from symlab.claims import Claim
from symlab.curves import Curves, averaged, plot_curves
from symlab.differences import per_more
from symlab.figure import Figure, Verdict, finished
from symlab.thread_rates import FREELIST, IDLE, LOCAL, MULTIPLE, SINGLE

POLLING = (SINGLE, MULTIPLE, FREELIST, LOCAL)
PROCESSORS = (4, 8, 12, 16, 20)
ABOUT_EQUAL = 0.1  # ours, as for every "about" in the claims


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """Columns strategy, processors, misses, spread: read misses of idle processors per create.

    From two runs that differ in the number of creates: the first look at a word is not counted.
    """
    keys = ["strategy", "processors"]
    done = finished(runs, [*keys, "creates", "idle_reads"])
    each = per_more(done, keys, "creates", ["idle_reads"])
    return averaged(each.rename(columns={"idle_reads": "misses"}), keys, "misses", "spread")


def draw(ax: Axes, data: pd.DataFrame) -> None:
    plot_curves(ax, data, "processors", "misses", curve="strategy")
    ax.set_xlabel("Processors")
    ax.set_ylabel("Read misses of idle processors per create")


def all_60(data: pd.DataFrame) -> Verdict:
    """A create disturbs one processor of an idle queue, and all that poll."""
    statement = (
        "read misses of idle processors per create: <= 1 with the idle queue, with every other "
        "strategy >= 0.9 (P - 1), for all P = 4 to 20"
    )
    claim = Claim("ALL-60", "ALL section 4.4", statement)
    misses = _curves(data)
    own = {f"{p:g}": v for p, v in misses.curve(IDLE).items() if p in PROCESSORS}
    polled = {
        f"{strategy} at P={p:g}": misses[strategy, p] / (p - 1)
        for strategy in POLLING
        for p in PROCESSORS
        if (strategy, p) in misses
    }
    missing = misses.missing([IDLE, *POLLING], PROCESSORS)
    return claim.all_of(
        claim.at_most(own, 1.0, missing, "misses with the idle queue, most at P={}"),
        claim.at_least(polled, 1 - ABOUT_EQUAL, missing, "misses over P - 1, {}"),
    )


_curves = partial(Curves.of, y="misses", curve="strategy", spread="spread")

FIGURE = Figure(
    id="all-4.4",
    config="configs/figures/all-4.4.toml",
    claims=(all_60,),
    series=series,
    draw=draw,
    measure=measure,
    tidy=True,
)
