# SPDX-License-Identifier: MIT
"""Fairness of locks (ALL section 4.4): whether long waiters or newcomers are served.

earlier_share: of the processors that wait while another is served, the part that had arrived before
the one served. It is 1/2 for a random choice and 0 for first come first served. Above 1/2,
processors that have waited long are served worse than newcomers. max_over_mean: the longest wait
divided by the mean wait.
"""

from functools import partial

import pandas as pd
from symlab.plot.curves import Curves, Plot, chosen
from symlab.plot.figure import Figure, finished
from symlab.plot.repeats import averaged_quantities
from symlab_papers.expressions import claims

PROCESSORS = (8, 12, 16, 20)
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


def _curves(data: pd.DataFrame, quantity: str) -> Curves:
    return Curves.of(chosen(data, quantity=quantity), "value")


CLAIMS = claims(
    "all-fairness", P=PROCESSORS, E=partial(_curves, quantity="earlier_share"),
    X=partial(_curves, quantity="max_over_mean"), L=partial(_curves, quantity="locked_per_section"),
)  # fmt: skip
FIGURE = Figure(series, draw, CLAIMS, failures=draw.failures)
