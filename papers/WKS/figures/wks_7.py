# SPDX-License-Identifier: MIT
"""WKS Fig. 7: time of the synthetic program by processors of a KSR1, two processes on each.

D_x(P): time of a turn with lock x and P workers, as in Figure 6.
"""

import pandas as pd
from symlab.plot.figure import Figure, Verdict
from symlab_papers.claims import Claim, judges
from symlab_papers.measures.processes import NAT, NATN, SQ, TASN

from .wks_6 import below_sq, draw, series, times

MOST = 31
SEVERAL = (2, 4, 8, 16, 24, MOST)


# That SQ overtakes TASn says also that it begins behind it.
@judges("WKS-27", "D_SQ < D_TASn at P=31, D_TASn < D_SQ at P=2")
def wks_27(claim: Claim, data: pd.DataFrame) -> Verdict:
    time = times(data)
    return claim.all_of(
        claim.ordered({"": time.pair((SQ, MOST), (TASN, MOST))}, f"D_SQ over D_TASn at P={MOST}"),
        claim.ordered({"": time.pair((TASN, 2), (SQ, 2))}, "D_TASn over D_SQ at P=2"),
    )


@judges("WKS-28", "D_NAT and D_NATn < D_SQ for P = 2 to 31")
def wks_28(claim: Claim, data: pd.DataFrame) -> Verdict:
    return below_sq(claim, data, (NAT, NATN), SEVERAL)


FIGURE = Figure(series, draw, (wks_27, wks_28), tidy=True)
