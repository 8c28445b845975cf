# SPDX-License-Identifier: MIT
"""ALL section 4.6: the counter of Figure 4.1 under other coherence protocols.

ALL-64, and the part of ALL-66 on how soon distributed write becomes quiet, are judged in
all-quiescence. The paper's "distributed write" is write-update.
"""

from itertools import combinations

import numpy as np
import pandas as pd
from symlab.plot.curves import Curves, Plot, chosen
from symlab.plot.figure import Figure, Verdict, finished
from symlab.plot.repeats import averaged_quantities
from symlab.results.table import transactions_of
from symlab_papers.claims import Claim, judges
from symlab_papers.measures.fits import line_fit

LOCKS = ("xchgb", "read", "backoff")
PROCESSORS = (4, 8, 10, 12, 14, 16, 18)  # for the claims; the sweep also has 1 and 20
MANY = tuple(p for p in PROCESSORS if p >= 8)
ABOUT_EQUAL = 1.1  # our reading of "about equal": locks that differ by less have no order
# Read misses per acquisition that are only cold misses: one for each of 20 processors in 20,000
# acquisitions.
COLD_MISSES = 0.001
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


@judges(
    "ALL-63",
    "order of C_m(P) as with write-through for all P >= 8, of locks that differ by more than 10"
    " % there",
)
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


@judges(
    "ALL-65",
    "invalidation only on change: C_read(P) lower for all P >= 8; spinners' bus requests per "
    "acquisition a line in P with R^2 >= 0.97",
)
def all_65(claim: Claim, data: pd.DataFrame) -> Verdict:
    name = "write-through-on-change"
    old, new = (_curves(data, protocol, "seconds") for protocol in ("write-through", name))
    old.require(["read"], MANY)
    requests = _curves(data, name, "requests").at("read", PROCESSORS)
    slope, r2 = line_fit(np.array([*requests], dtype=float), np.array([*requests.values()]))
    new.require(["read"], MANY)
    lower = {p: (new.ranged("read", p), old.ranged("read", p)) for p in MANY}
    return claim.all_of(
        claim.ordered(lower, note="C_read over that with write-through, largest at P={}"),
        claim.at_least({"": r2}, 0.97, note=f"R^2; {slope:.3g} requests per processor"),
    )


@judges(
    "ALL-66",
    "write-update: at most one read miss, the first, of each spinner; bus use > 0.9 with xchgb "
    "at P = 18",
)
def all_66(claim: Claim, data: pd.DataFrame) -> Verdict:
    misses = _curves(data, "write-update", "read_misses")
    use = _curves(data, "write-update", "bus_utilisation")
    counts = misses.at("read", PROCESSORS)
    return claim.all_of(
        claim.at_most(counts, COLD_MISSES, note="read misses per acquisition with read, P={}"),
        claim.at_least({"": use["xchgb", 18]}, 0.9, note="bus use"),
    )


@judges(
    "ALL-67",
    "write-update: updates per acquisition by spinners lower with backoff than read, for all P "
    ">= 8",
)
def all_67(claim: Claim, data: pd.DataFrame) -> Verdict:
    writes = _curves(data, "write-update", "writes")
    pairs = writes.ordered("backoff", "read", MANY)
    return claim.ordered(pairs, "backoff over read, largest at P={}")


def _curves(data: pd.DataFrame, protocol: str, quantity: str) -> Curves:
    rows = chosen(data, protocol=protocol, quantity=quantity)
    return Curves.of(rows, "value", symbol=f"{protocol} P")


FIGURE = Figure(series, draw, (all_63, all_65, all_66, all_67), failures=draw.failures)
