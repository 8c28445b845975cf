# SPDX-License-Identifier: MIT
"""ALL Fig. 4.1: elapsed time for a million increments of one counter under a spin lock.

T. E. Anderson, E. D. Lazowska, H. M. Levy, "The Performance Implications of Thread Management
Alternatives for Shared-Memory Multiprocessors", 1989. All P processors loop: lock, add 1 and
test, unlock, until the counter is at 10^6. C_m(P) is the time in seconds with lock m.

"All P" means every P from 1 to 20, since the paper's machine has 20 processors.
"""

from functools import partial

import numpy as np
import pandas as pd
from symlab.plot.curves import Curves, Plot
from symlab.plot.figure import Figure, Verdict, finished
from symlab.plot.repeats import averaged
from symlab_papers.claims import Claim, judges
from symlab_papers.expressions import claims
from symlab_papers.measures.fits import two_line_fit

PROCESSORS = 20  # the paper's Symmetry has 20


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """One row per lock and P, sorted: processors, lock, seconds, spread_s, misses.

    `runs` needs the columns processors, lock, elapsed_us, increments, status. seconds: time for
    10^6 increments. It equals elapsed_us / increments, since 1 us per increment is 1 s per 10^6.
    misses: read misses of the waiters per increment and spinner, that is per other processor; NaN
    without the column spin_read_transactions, and with one processor.
    """
    done = finished(runs, ["processors", "lock", "elapsed_us", "increments"]).copy()
    increments = pd.to_numeric(done["increments"])
    done["seconds"] = pd.to_numeric(done["elapsed_us"]) / increments
    spinners = (done["processors"] - 1).where(done["processors"] > 1)
    done["misses"] = done.get("spin_read_transactions", np.nan) / increments / spinners
    data = averaged(done, ["lock", "processors"], "seconds", "spread_s", ["misses"])
    return data[["processors", "lock", "seconds", "spread_s", "misses"]]


draw = Plot("seconds", "Elapsed time (s) for 1,000,000 increments", most=PROCESSORS)


@judges("ALL-47")
def all_47(claim: Claim, data: pd.DataFrame) -> Verdict:
    time = draw.curves(data)
    curve = time.at("backoff", range(1, PROCESSORS + 1))
    at, first, second = two_line_fit(np.array([*curve], dtype=float), np.array([*curve.values()]))
    note = f"slopes {first:.3g} and {second:.3g} s per processor, breakpoint {at:.2f}"
    if second <= 0:
        return claim.judged(False, None, 0.25, None, note)
    return claim.all_of(
        claim.at_most({"": first / second}, 0.25, note),
        claim.between({"": at}, 8, 14, f"breakpoint; {note}"),
    )


MISSES = partial(Curves.of, y="misses", symbol="P, column spin_read_transactions at P")
CLAIMS = claims("all-4.1", all_47, C=draw.curves, M=MISSES)
FIGURE = Figure(series, draw, CLAIMS, failures=draw.failures)
