# SPDX-License-Identifier: MIT
"""Fairness of locks (ALL section 4.4): whether long waiters or newcomers are served.

earlier_share: of the processors that wait while another is served, the part that had arrived before
the one served. It is 1/2 for a random choice and 0 for first come first served. Above 1/2,
processors that have waited long are served worse than newcomers. max_over_mean: the longest wait
divided by the mean wait.
"""

import pandas as pd
from symlab.plot.curves import Curves, Plot, chosen
from symlab.plot.figure import Figure, Verdict, finished
from symlab.plot.repeats import averaged_quantities
from symlab_papers.claims import Claim, judges

PROCESSORS = (8, 12, 16, 20)
QUEUE = "array-xadd"
RANDOM = 0.5  # earlier_share of a random choice
TOLERANCE = 0.05  # a tenth of RANDOM, our reading of "about equal"
QUANTITIES = ("earlier_share", "max_over_mean", "locked_per_section")


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """Tidy data, sorted: processors, lock, quantity, value, spread.

    Quantities: earlier_share and max_over_mean, see above. locked_per_section is the number of
    locked transactions by the lock's owner per section, including the release.
    """
    columns = ["processors", "lock", "waiting", "earlier", "critical_locked_read_transactions"]
    waits = ["lock_acquisitions", "lock_wait_us", "lock_max_wait_us"]
    done = finished(runs, [*columns, *waits]).copy()
    done["earlier_share"] = done["earlier"] / done["waiting"]
    mean_us = done["lock_wait_us"] / done["lock_acquisitions"]
    done["max_over_mean"] = done["lock_max_wait_us"] / mean_us
    locked = done["critical_locked_read_transactions"]
    done["locked_per_section"] = locked / done["lock_acquisitions"]
    keys = ["lock", "processors"]
    return averaged_quantities(done, keys, QUANTITIES)


draw = Plot(
    "value",
    "Share of waiters older than the one served",
    where={"quantity": "earlier_share"},
    axes={"ylim": (0, 1.2)},  # room for the legend
)


@judges(
    "ALL-59",
    "of the waiters, those who came earlier than the one served: >= 0.55 with backoff, <= 0.55 "
    "with xchgb and read; max/mean wait larger with backoff",
)
def all_59(claim: Claim, data: pd.DataFrame) -> Verdict:
    even = ("xchgb", "read")
    share = _curves(data, "earlier_share").require(["backoff", *even], PROCESSORS)
    longest = _curves(data, "max_over_mean")
    backoff = {p: share["backoff", p] for p in PROCESSORS}
    points = [(lock, p) for lock in even for p in PROCESSORS]
    shares = {f"{lock} at P={p}": share[lock, p] for lock, p in points}
    pairs = {
        f"{lock} at P={p}": longest.pair(less=(lock, p), more=("backoff", p)) for lock, p in points
    }
    return claim.all_of(
        claim.at_least(backoff, RANDOM + TOLERANCE, "backoff at P={}"),
        claim.at_most(shares, RANDOM + TOLERANCE, "{}"),
        claim.ordered(pairs, "max/mean wait over that of backoff: {}"),
    )


# The guest records the arrival of a processor just before the processor draws its number. ALL
# Table 4.1 assumes an atomic read-and-increment for drawing, as in `array-xadd`. The lock `array`
# instead draws numbers under a small lock with backoff, for which arriving processors compete.
@judges(
    "ALL-69",
    "array-xadd: at most 0.05 of the waiters came before the one served; no locked transaction "
    "by the one who has the lock, its release included",
)
def all_69(claim: Claim, data: pd.DataFrame) -> Verdict:
    shares = _curves(data, "earlier_share").at(QUEUE, PROCESSORS)
    atomics = _curves(data, "locked_per_section").at(QUEUE, PROCESSORS)
    return claim.all_of(
        claim.at_most(shares, TOLERANCE, "share that came before, at P={}"),
        claim.at_most(atomics, 0.0, "locked transactions per section, at P={}"),
    )


def _curves(data: pd.DataFrame, quantity: str) -> Curves:
    return Curves.of(chosen(data, quantity=quantity), "value")


FIGURE = Figure(series, draw, (all_59, all_69), failures=draw.failures)
