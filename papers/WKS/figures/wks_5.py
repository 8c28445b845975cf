# SPDX-License-Identifier: MIT
"""WKS Fig. 5: time of the synthetic program by multiprogramming level on 31 processors of a KSR1.

D_x(m): time of a turn with lock x and m processes a processor, as in Figure 4. The native locks are
those of sub-pages.
"""

from dataclasses import replace

import pandas as pd
from symlab.plot.figure import Figure, Verdict
from symlab_papers.claims import Claim, judges
from symlab_papers.measures.processes import QH, QN, SQ, TAS, TASN, THOUSANDTHS, Q

from .wks_4 import (
    LEVELS,
    NATN_LEAST,
    SHARED,
    below,
    draw,
    natn_is_least,
    series,
    times,
)

FIRST, LAST = LEVELS[0], LEVELS[-1]
MODERATE = (1000, 1200, 1400, 1600)
HIGH = (1800, 2000)
HEAVY = 1.5  # times the growth of TASn, as in WKS-03


@judges("WKS-10", "D(2)/D(1) of Q and Qn >= 1.5 times that of TASn")
def wks_10(claim: Claim, data: pd.DataFrame) -> Verdict:
    time = times(data).require((Q, QN, TASN), (FIRST, LAST))
    growth = {lock: time[lock, LAST] / time[lock, FIRST] for lock in (Q, QN, TASN)}
    return claim.at_least({x: growth[x] / growth[TASN] for x in (Q, QN)}, HEAVY, "{} over TASn")


@judges("WKS-11", "D_SQ < D_QH < D_Qn for m > 1")
def wks_11(claim: Claim, data: pd.DataFrame) -> Verdict:
    return claim.all_of(
        below(claim, data, (SQ,), (QH,), SHARED), below(claim, data, (QH,), (QN,), SHARED)
    )


@judges("WKS-12", "D_SQ < D_QH, D_Q, D_Qn, D_TAS and D_TASn for m <= 1.6")
def wks_12(claim: Claim, data: pd.DataFrame) -> Verdict:
    return below(claim, data, (SQ,), (QH, Q, QN, TAS, TASN), MODERATE)


@judges("WKS-13", NATN_LEAST)
def wks_13(claim: Claim, data: pd.DataFrame) -> Verdict:
    return natn_is_least(claim, data)


@judges("WKS-14", "D_TASn(1.4) < D_TASn(1)")
def wks_14(claim: Claim, data: pd.DataFrame) -> Verdict:
    time = times(data)
    return claim.ordered({"": time.pair((TASN, 1400), (TASN, FIRST))}, "D_TASn(1.4)/D_TASn(1)")


@judges("WKS-15", "the least D_TASn for 1 < m < 2 is below D_TASn(1) and D_TASn(2)")
def wks_15(claim: Claim, data: pd.DataFrame) -> Verdict:
    time = times(data).require((TASN,), LEVELS)
    least = min(LEVELS[1:-1], key=lambda m: time[TASN, m])
    pairs = {end / THOUSANDTHS: time.pair((TASN, least), (TASN, end)) for end in (FIRST, LAST)}
    return claim.ordered(pairs, f"D_TASn({least / THOUSANDTHS:g}) over D_TASn({{:g}})")


@judges("WKS-16", "D_TASn < D_SQ at m=1.8 or 2")
def wks_16(claim: Claim, data: pd.DataFrame) -> Verdict:
    time = times(data).require((TASN, SQ), HIGH)
    most = min(HIGH, key=lambda m: time[TASN, m] / time[SQ, m])
    note = f"D_TASn over D_SQ at m={most / THOUSANDTHS:g}"
    return claim.ordered({"": time.pair((TASN, most), (SQ, most))}, note)


CLAIMS = (wks_10, wks_11, wks_12, wks_13, wks_14, wks_15, wks_16)
FIGURE = Figure(series, draw, CLAIMS, tidy=True)
INTERRUPTS = "The native lock of a KSR1, and as if the wait for a sub-page could be interrupted."
FIGURES = {"interrupts": replace(FIGURE, claims=(), caption=INTERRUPTS)}
