# SPDX-License-Identifier: MIT
"""ALL Table 4.1: the array queue lock needs the same few bus transactions whoever waits.

The workload is that of Figure 4.1. transactions_per_section counts all bus transactions. Claim
ALL-68.

The paper's table assumes an atomic read-and-increment, as in `array-xadd`. A 386 has no such
instruction. `array` implements it with a small lock, for which processors compete; it is in the
data for comparison.
"""

from functools import partial

import pandas as pd
from matplotlib.axes import Axes

from symlab.claims import Claim
from symlab.curves import Curves, averaged, plot_curves
from symlab.figure import Figure, Verdict, finished

PROCESSORS = range(4, 19)
QUEUE = "array-xadd"
SOURCE = "ALL Table 4.1"


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """One row per lock and P, sorted: processors, lock, transactions_per_section, spread."""
    done = finished(runs, ["processors", "lock", "increments", "all_transactions"]).copy()
    done["transactions_per_section"] = done["all_transactions"] / done["increments"]
    return averaged(done, ["lock", "processors"], "transactions_per_section", "spread")


def draw(ax: Axes, data: pd.DataFrame) -> None:
    plot_curves(ax, data, "processors", "transactions_per_section")
    ax.set_yscale("log")
    ax.set_ylim(1, None)
    ax.set_xlabel("Processors")
    ax.set_ylabel("Bus transactions per critical section")


def all_68(data: pd.DataFrame) -> Verdict:
    """The transactions per section are of order 1 with any number of waiters."""
    statement = "array-xadd: (most - least) / mean transactions per section < 0.2 for P = 4 to 18"
    claim = Claim("ALL-68", SOURCE, statement)
    counts = _counts(data)
    there = [counts[QUEUE, p] for p in PROCESSORS if (QUEUE, p) in counts]
    missing = counts.missing([QUEUE], PROCESSORS)
    if len(there) < 2:
        return claim.not_run(missing)
    mean = sum(there) / len(there)
    note = f"{min(there):.4g} to {max(there):.4g} transactions"
    return claim.at_most({"": (max(there) - min(there)) / mean}, 0.2, missing, note)


_counts = partial(Curves.of, y="transactions_per_section", spread="spread")

FIGURE = Figure(
    id="all-table-4.1",
    config="configs/figures/ALL/table-4.1.toml",
    claims=(all_68,),
    series=series,
    draw=draw,
    quick={"guest.args.increments": 100, "machine.processors": [4, 5]},
)
