# SPDX-License-Identifier: MIT
"""ALL section 4.1: what an xchgb that changes nothing does to other caches.

Processor 0 exchanges a word, or in other runs only reads it; then each other processor reads it
once. Claim ALL-42. The claim also says that requests of others for the word wait during the
exchange; tests/bus checks that part.
"""

import pandas as pd
from matplotlib.axes import Axes

from symlab.claims import Claim
from symlab.curves import Curves, averaged, plot_curves
from symlab.figure import Figure, Verdict, finished

PROCESSORS = (2, 8, 20)
SOURCE = "ALL section 4.1"


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """Columns processors, access, misses, locked_stores, spread; sorted.

    misses: reads on the bus per round and other processor, without the first round, whose misses
    are cold. locked_stores: locked stores on the bus per round.
    """
    columns = ["processors", "access", "rounds", "read_transactions", "locked_store_transactions"]
    done = finished(runs, columns).copy()
    rounds = done["rounds"] - 1
    done["misses"] = done["read_transactions"] / rounds / (done["processors"] - 1)
    done["locked_stores"] = done["locked_store_transactions"] / done["rounds"]
    keys = ["access", "processors"]
    stores = averaged(done, keys, "locked_stores", "unused").drop(columns="unused")
    return averaged(done, keys, "misses", "spread").merge(stores, on=keys)


def draw(ax: Axes, data: pd.DataFrame) -> None:
    plot_curves(ax, data, "processors", "misses", curve="access")
    ax.set_xlabel("Processors")
    ax.set_ylabel("Read misses per access and other processor")


def all_42(data: pd.DataFrame) -> Verdict:
    """A failing xchgb writes to memory and invalidates the line in all other caches."""
    statement = (
        "failing xchgb: at least 1 write to memory each, and afterwards 1 read miss (+- 0.02) of "
        "each other processor that a read does not cause"
    )
    claim = Claim("ALL-42", SOURCE, statement)
    misses = Curves.of(data, "misses", curve="access")
    stores = Curves.of(data, "locked_stores", curve="access")
    missing = misses.missing(["exchange", "read"], PROCESSORS)
    there = [p for p in PROCESSORS if ("exchange", p) in misses and ("read", p) in misses]
    written = {p: stores["exchange", p] for p in there}
    caused = {p: abs(misses["exchange", p] - misses["read", p] - 1) for p in there}
    return claim.all_of(
        claim.at_least(written, 1.0, missing, "writes, at P={}"),
        claim.at_most(caused, 0.02, missing, "misses caused less 1, at P={}"),
    )


FIGURE = Figure(
    id="all-4.1-exchange",
    config="configs/figures/ALL/section-4.1-exchange.toml",
    claims=(all_42,),
    series=series,
    draw=draw,
    quick={"guest.args.rounds": 10},
)
