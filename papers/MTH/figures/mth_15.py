# SPDX-License-Identifier: MIT
"""MTH Fig. 15: the claim on locks per second that is no expression."""

import numpy as np
import pandas as pd
from symlab.plot.curves import Curves
from symlab.plot.figure import Verdict
from symlab_papers.claims import Claim, judges

CONSCIOUS, NODE = "memory-conscious", 8  # processors
LINEAR, RISE = 0.98, 6.0


@judges("MTH-08")
def mth_08(claim: Claim, data: pd.DataFrame) -> Verdict:
    rate = Curves.of(data, "locks_per_second", curve="strategy")
    curve = {p: q for p, q in rate.curve(CONSCIOUS).items() if p <= NODE}
    if len(curve) < 3:
        return claim.not_run("processors up to 8")
    r_squared = float(np.corrcoef(list(curve), list(curve.values()))[0, 1] ** 2)
    return claim.all_of(
        claim.at_least({"": r_squared}, LINEAR, "R^2"),
        claim.at_least({"": rate[CONSCIOUS, NODE] / rate[CONSCIOUS, 1]}, RISE, "Q(8)/Q(1)"),
    )
