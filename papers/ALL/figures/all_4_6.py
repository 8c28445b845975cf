# SPDX-License-Identifier: MIT
"""ALL section 4.6: the counter of Figure 4.1 under other coherence protocols.

ALL-64, and the part of ALL-66 on how soon distributed write becomes quiet, are judged in
all-quiescence. The paper's "distributed write" is write-update.
"""

from functools import partial
from itertools import combinations

import pandas as pd
from symlab.plot.curves import Curves, Plot, chosen
from symlab.plot.figure import Figure, Verdict, finished
from symlab.plot.repeats import averaged_quantities
from symlab.results.table import transactions_of
from symlab_papers.claims import Claim, judges
from symlab_papers.expressions import claims

LOCKS = ("xchgb", "read", "backoff")
PROCESSORS = (4, 8, 10, 12, 14, 16, 18)  # for the claims; the sweep also has 1 and 20
MANY = tuple(p for p in PROCESSORS if p >= 8)
ABOUT_EQUAL = 1.1  # our reading of "about equal": locks that differ by less have no order
KINDS = ("fetch", "read", "store", "locked_store")
QUANTITIES = ("seconds", "requests", "read_misses", "writes", "bus_utilisation")


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """Tidy data, sorted: protocol, lock, processors, quantity, value, spread.

    Quantities: seconds is the time for 10^6 increments. requests, read_misses and writes count bus
    transactions of the lock's waiters per acquisition. requests are all but instruction fetches;
    writes are updates under write-update. bus_utilisation is of the whole run.
    """
    needed = ["processors", "lock", "protocol", "elapsed_us", "increments", "bus_utilisation"]
    spin = {kind: f"spin_{kind}_transactions" for kind in KINDS}
    done = finished(runs, [*needed, *spin.values()]).copy()
    done["seconds"] = done["elapsed_us"] / done["increments"]
    requests = transactions_of(done, "spin") - done["spin_fetch_transactions"]
    done["requests"] = requests / done["increments"]
    done["read_misses"] = done[spin["read"]] / done["increments"]
    done["writes"] = (done[spin["store"]] + done[spin["locked_store"]]) / done["increments"]
    keys = ["protocol", "lock", "processors"]
    return averaged_quantities(done, keys, QUANTITIES)


draw = Plot(
    "value",
    "Spin on read: time (s) of 1,000,000 increments",
    "protocol",
    where={"lock": "read", "quantity": "seconds"},
)


@judges("ALL-63")
def all_63(claim: Claim, data: pd.DataFrame) -> Verdict:
    seconds = [_curves(data, name, "seconds") for name in ("write-through", "write-back")]
    through, back = (time.require(LOCKS, MANY) for time in seconds)
    pairs = {}
    for p in MANY:
        fastest_first = sorted(LOCKS, key=lambda m: through[m, p])
        for less, more in combinations(fastest_first, 2):
            if through[more, p] <= ABOUT_EQUAL * through[less, p]:
                continue
            pairs[f"{less} over {more} at P={p}"] = back.pair(less=(less, p), more=(more, p))
    return claim.ordered(pairs, "with write-back, C of {}")


def _curves(data: pd.DataFrame, protocol: str, quantity: str) -> Curves:
    rows = chosen(data, protocol=protocol, quantity=quantity)
    return Curves.of(rows, "value", symbol=f"{protocol} P")


ON_CHANGE, UPDATE = "write-through-on-change", "write-update"
CLAIMS = claims(
    "all-4.6", all_63, P=PROCESSORS, MANY=MANY,
    T=partial(_curves, protocol="write-through", quantity="seconds"),
    N=partial(_curves, protocol=ON_CHANGE, quantity="seconds"),
    R=partial(_curves, protocol=ON_CHANGE, quantity="requests"),
    M=partial(_curves, protocol=UPDATE, quantity="read_misses"),
    U=partial(_curves, protocol=UPDATE, quantity="bus_utilisation"),
    W=partial(_curves, protocol=UPDATE, quantity="writes"),
)  # fmt: skip
FIGURE = Figure(series, draw, CLAIMS, failures=draw.failures)
