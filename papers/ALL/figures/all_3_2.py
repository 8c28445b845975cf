# SPDX-License-Identifier: MIT
"""ALL Fig. 3.2: a million null threads; R_a(P) = thousands of threads per second of strategy a.

T_a(P) is the time of all threads. Speedup is T_single(1)/T_a(P) = R_a(P)/R_single(1).
"""

from functools import partial

import pandas as pd
from symlab.plot.figure import Verdict
from symlab_papers.claims import Claim, judges
from symlab_papers.expressions import claims
from symlab_papers.measures.thread_rates import PROCESSORS, curves, figure
from symlab_papers.names import CENTRAL, NULL

SPINNERS = 10  # with more, backoff itself degrades (ALL-46)


@judges("ALL-22")
def all_22(claim: Claim, data: pd.DataFrame) -> Verdict:
    rate = curves(data, "rate").require(CENTRAL, PROCESSORS)
    away: dict[str, float] = {}
    for strategy in CENTRAL:
        most = rate.ceiling(strategy)
        at = rate.knee(strategy, most)
        below = rate.below_bound(strategy, most)
        judged = [p for p in below if abs(p - at) > 2 and p <= at + SPINNERS]
        away |= {f"{strategy} at P={p:g}": below[p] for p in judged}
    return claim.at_most(away, 0.1, note="part of the bound missing, largest with {}")


CLAIMS = claims(
    "all-3.2", all_22, P=PROCESSORS,
    R=partial(curves, quantity="rate"), W=partial(curves, quantity="spin_share"),
    B=partial(curves, quantity="bus_utilisation"), F=partial(curves, quantity="finish_spread"),
)  # fmt: skip
FIGURE = figure(NULL, CLAIMS)
