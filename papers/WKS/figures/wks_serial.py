# SPDX-License-Identifier: MIT
"""WKS section 4.2: when sections of 15 us become the bottleneck of work of 150 us between them.

On a Sequent Symmetry Model B, one process a processor. rate: turns of all workers per millisecond.
use: part of the time for which the lock is held.
"""

import pandas as pd
from symlab.plot.curves import Curves, Plot
from symlab.plot.figure import Figure, Verdict
from symlab.plot.repeats import averaged
from symlab_papers.claims import Claim, judges
from symlab_papers.measures.processes import (
    SQ,
    TASN,
    Q,
    keys_of,
    measure,
    named,
)

LOCKS = (TASN, Q, SQ)
FREE, FULL, MOST = 7, 14, 20  # processors; (150 + 15) / 15 is 11
USE, NEAR = 7 * 15 / (150 + 15), 0.1
NO_MORE = 1.05  # rate of MOST over that of FULL
US_PER_MS = 1000


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """Tidy data, sorted: VARIANTS, lock, workers, rate, spread, use."""
    done = named(runs, ["turns", "held_us"])
    done["rate"] = US_PER_MS * done["turns"] / done["elapsed_us"]
    done["use"] = done["held_us"] / done["elapsed_us"]
    return averaged(done, keys_of(runs, "lock", "workers"), "rate", "spread", ["use"])


draw = Plot("rate", "Turns per millisecond", x="workers", most=MOST)


@judges(
    "WKS-32",
    "TASn held for 0.64 +- 0.1 of the time by 7 processors; with each lock at most 1.05 times as "
    "many turns with 20 as with 14",
)
def wks_32(claim: Claim, data: pd.DataFrame) -> Verdict:
    rate = Curves.of(data, "rate", "workers").require(LOCKS, (FULL, MOST))
    use = Curves.of(data, "use", "workers")[TASN, FREE]
    more = {lock: rate[lock, MOST] / rate[lock, FULL] for lock in LOCKS}
    return claim.all_of(
        claim.at_most({"": abs(use - USE)}, NEAR, f"distance from {USE:.2f}; use is {use:.3g}"),
        claim.at_most(more, NO_MORE, "turns with 20 over those with 14, {}"),
    )


FIGURE = Figure(series, draw, (wks_32,), measure=measure, tidy=True)
