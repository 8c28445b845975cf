# SPDX-License-Identifier: MIT
"""MTH section 7.2.3: gain of each affinity model over none for threads in couples."""

import pandas as pd
from symlab.plot.curves import Curves
from symlab.plot.figure import Figure, Verdict, finished
from symlab_papers.claims import Claim, judges

from .mth_16 import draw, gains

HARDLY = 0.03


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """Tidy data, sorted: affinity, processors, gain, spread_gain; of locks per second."""
    return gains(finished(runs, ["affinity", "processors", "locks_per_second"]), "locks_per_second")


@judges("MTH-12")
def mth_12(claim: Claim, data: pd.DataFrame) -> Verdict:
    values = Curves.of(data, "gain", curve="affinity").values
    if not values:
        return claim.not_run("all models")
    return claim.at_most(
        {f"{model}, P={p:g}": abs(g) for (model, p), g in sorted(values.items())}, HARDLY, "{}"
    )


FIGURE = Figure(series, draw, (mth_12,), tidy=True)
