# SPDX-License-Identifier: MIT
"""Quiescence (ALL sections 4.3, 4.4, 5.1): the cost of a release while all others wait.

P - 1 processors spin on one lock in their caches when it is released. The next holder keeps it.
settle_us is the time from the release until all remaining spinners loop in their caches again.

ALL-64 and the part of ALL-66 on quiescence are the same measurement under other protocols.
"""

from functools import partial

import pandas as pd
from symlab.plot.curves import Curves, Plot, chosen
from symlab.plot.figure import Figure, finished
from symlab.plot.repeats import averaged_quantities
from symlab_papers.expressions import claims
from symlab_papers.measures.quiescence import measure

FEW, MANY = 4, 16  # processors between which ALL-57 and ALL-58 compare
SPINNERS = range(FEW - 1, MANY)  # all but the one that releases the lock
PAPERS = "write-through"  # the protocol of the paper's machine
VALUES = ("settle_us", "transactions_per_spinner", "reads_per_spinner", "handover_us")


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """Tidy data, sorted: protocol, lock, spinners, quantity (one of VALUES), value, spread.

    transactions_per_spinner: bus transactions per release and spinner. reads_per_spinner: read
    misses per release of each processor that continues to spin; it excludes the next holder, which
    misses once, and is missing with a single spinner. handover_us: time from the release until the
    next holder has the lock.
    """
    columns = ["processors", "lock", "protocol", "rounds", "handover_us", "release_transactions"]
    done = finished(runs, [*columns, "settle_us", "release_reads"]).copy()
    done["spinners"] = done["processors"] - 1
    done["transactions_per_spinner"] = done["release_transactions"] / done["spinners"]
    staying = done["spinners"].where(done["spinners"] > 1) - 1
    done["reads_per_spinner"] = (done["release_reads"] - 1) / staying
    done["handover_us"] = done["handover_us"] / done["rounds"]
    keys = ["protocol", "lock", "spinners"]
    return averaged_quantities(done, keys, VALUES)


draw = Plot(
    "value",
    "From release until all spin in their caches (µs)",
    x="spinners",
    x_label="Spinning processors",
    where={"protocol": PAPERS, "quantity": "settle_us"},
)


def _curves(data: pd.DataFrame, protocol: str, quantity: str) -> Curves:
    rows = chosen(data, protocol=protocol, quantity=quantity)
    return Curves.of(rows, "value", "spinners", symbol="spinners")


CLAIMS = claims(
    "all-quiescence", SPINNERS=SPINNERS,
    T=partial(_curves, protocol=PAPERS, quantity="transactions_per_spinner"),
    B=partial(_curves, protocol="write-back", quantity="transactions_per_spinner"),
    R=partial(_curves, protocol=PAPERS, quantity="reads_per_spinner"),
    G=partial(_curves, protocol=PAPERS, quantity="handover_us"),
    O=partial(_curves, protocol=PAPERS, quantity="settle_us"),
    N=partial(_curves, protocol="write-update", quantity="settle_us"),
)  # fmt: skip
FIGURE = Figure(series, draw, CLAIMS, measure)
