# SPDX-License-Identifier: MIT
"""WKS Fig. 5: time of the synthetic program by multiprogramming level on 31 processors of a KSR1.

D_x(m): time of a turn with lock x and m processes a processor, as in Figure 4. The native locks are
those of sub-pages.
"""

from dataclasses import replace

import pandas as pd
from symlab.plot.figure import Figure, Verdict
from symlab_papers.claims import Claim, judges
from symlab_papers.expressions import claims
from symlab_papers.measures.processes import NAMES, SQ, TASN, THOUSANDTHS

from .wks_4 import (
    LEVELS,
    draw,
    series,
    times,
)

FIRST, LAST = LEVELS[0], LEVELS[-1]
HIGH = (1800, 2000)


@judges("WKS-15")
def wks_15(claim: Claim, data: pd.DataFrame) -> Verdict:
    time = times(data).require((TASN,), LEVELS)
    least = min(LEVELS[1:-1], key=lambda m: time[TASN, m])
    pairs = {end / THOUSANDTHS: time.pair((TASN, least), (TASN, end)) for end in (FIRST, LAST)}
    return claim.ordered(pairs, f"D_TASn({least / THOUSANDTHS:g}) over D_TASn({{:g}})")


@judges("WKS-16")
def wks_16(claim: Claim, data: pd.DataFrame) -> Verdict:
    time = times(data).require((TASN, SQ), HIGH)
    most = min(HIGH, key=lambda m: time[TASN, m] / time[SQ, m])
    note = f"D_TASn over D_SQ at m={most / THOUSANDTHS:g}"
    return claim.ordered({"": time.pair((TASN, most), (SQ, most))}, note)


CLAIMS = claims("wks-5", wks_15, wks_16, D=times, M=LEVELS, NAMES=NAMES)
FIGURE = Figure(series, draw, CLAIMS, tidy=True)
INTERRUPTS = "The native lock of a KSR1, and as if the wait for a sub-page could be interrupted."
FIGURES = {"interrupts": replace(FIGURE, claims=(), caption=INTERRUPTS)}
