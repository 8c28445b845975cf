# SPDX-License-Identifier: MIT
"""WKS section 4.2: when sections of 15 us become the bottleneck of work of 150 us between them.

On a Sequent Symmetry Model B, one process a processor. rate: turns of all workers per millisecond.
use: part of the time for which the lock is held.
"""

from functools import partial

import pandas as pd
from symlab.plot.curves import Curves, Plot
from symlab.plot.figure import Figure
from symlab.plot.repeats import averaged
from symlab_papers.expressions import claims
from symlab_papers.measures.processes import (
    SQ,
    TASN,
    Q,
    keys_of,
    measure,
    named,
)

LOCKS = (TASN, Q, SQ)
MOST = 20  # processors
USE = 7 * 15 / (150 + 15)
US_PER_MS = 1000


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """Tidy data, sorted: VARIANTS, lock, workers, rate, spread, use."""
    done = named(runs, ["turns", "held_us"])
    done["rate"] = US_PER_MS * done["turns"] / done["elapsed_us"]
    done["use"] = done["held_us"] / done["elapsed_us"]
    return averaged(done, keys_of(runs, "lock", "workers"), "rate", "spread", ["use"])


draw = Plot("rate", "Turns per millisecond", x="workers", most=MOST)


CURVES = {name: partial(Curves.of, y=y, x="workers") for name, y in (("R", "rate"), ("U", "use"))}
FIGURE = Figure(series, draw, claims("wks-serial", USE=USE, **CURVES), measure=measure, tidy=True)
