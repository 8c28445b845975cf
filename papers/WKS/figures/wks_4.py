# SPDX-License-Identifier: MIT
"""WKS Fig. 4: time of the synthetic program by multiprogramming level on a 7-processor SGI Iris.

R. W. Wisniewski, L. I. Kontothanassis, M. L. Scott, "Scalable Spin Locks for Multiprogrammed
Systems", TR 454, University of Rochester, 1993. D_x(m): time with lock x and m processes a
processor. Here it is the time of a turn.
"""

from dataclasses import replace

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from symlab.plot.curves import Curves
from symlab.plot.figure import Figure, Verdict
from symlab_papers.claims import Claim, judges
from symlab_papers.measures.fits import line_fit
from symlab_papers.measures.processes import (
    NAMES,
    NAT,
    NATN,
    QH,
    QN,
    SQ,
    TAS,
    TASN,
    THOUSANDTHS,
    Q,
    of_variant,
    turn_curves,
    turn_plot,
    turns,
)

LEVELS = (1000, 1200, 1400, 1600, 1800, 2000)  # m in thousandths
SHARED = LEVELS[1:]  # some processors have two processes
NATN_LEAST = "D_NATn < D of all others for all m, but for NAT at m=1"
LINEAR = 0.95  # least R^2
NEAR = 0.1  # our reading of "approximately"
WORKERS, SECTION_NS, OUTSIDE_NS = 7, 15_000, 150_000
CONFIGURED = ("workers", "background", "section_ns", "outside_ns")


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """Tidy data, sorted: VARIANTS, lock, multiprogramming (m in thousandths), turn_us,
    spread_us, workers, background (processes), section_ns, outside_ns (alone, without lock)."""
    return turns(runs, "multiprogramming", others=CONFIGURED)


def draw(ax: Axes, data: pd.DataFrame) -> None:
    shown = of_variant(data)
    PLOT(ax, shown.assign(m=shown["multiprogramming"] / THOUSANDTHS))


PLOT = turn_plot("m", "Processes a processor")


@judges("WKS-01", "7 workers; section 15 us and outside 150 us within 10 % on one processor")
def wks_01(claim: Claim, data: pd.DataFrame) -> Verdict:
    rows = of_variant(data)
    of = {name: Curves.of(rows, name, "multiprogramming") for name in CONFIGURED}
    wanted = {"workers": WORKERS, "section_ns": SECTION_NS, "outside_ns": OUTSIDE_NS}
    off = {
        f"{name} with {lock}": abs(of[name][lock, LEVELS[0]] / right - 1)
        for name, right in wanted.items()
        for lock in NAMES
    }
    return claim.at_most(off, NEAR, "relative deviation of {}")


@judges("WKS-02", "D(m) of TASn, SQ and NATn a line in the number of processes, R^2 >= 0.95")
def wks_02(claim: Claim, data: pd.DataFrame) -> Verdict:
    time = times(data).require((TASN, SQ, NATN), LEVELS)
    processes = Curves.of(of_variant(data), "background", "multiprogramming")
    found = {}
    for lock in (TASN, SQ, NATN):
        more = np.array([*processes.at(lock, LEVELS).values()])
        found[lock] = line_fit(more, np.array([*time.at(lock, LEVELS).values()]))[1]
    return claim.at_least(found, LINEAR, "R^2 with {}")


@judges("WKS-03", "D(2)/D(1) of Q and Qn >= 1.5 times that of TASn")
def wks_03(claim: Claim, data: pd.DataFrame) -> Verdict:
    time = times(data).require((Q, QN, TASN), (1000, 2000))
    growth = {lock: time[lock, 2000] / time[lock, 1000] for lock in (Q, QN, TASN)}
    return claim.at_least({x: growth[x] / growth[TASN] for x in (Q, QN)}, 1.5, "{} over TASn")


@judges("WKS-04", "D_Qn < D_Q and D_Qn/D_Q >= 0.7 at m=2")
def wks_04(claim: Claim, data: pd.DataFrame) -> Verdict:
    time = times(data)
    less = time.ordered(QN, Q, [2000])
    return claim.all_of(
        claim.ordered(less, "D_Qn over D_Q"),
        claim.at_least({"": time[QN, 2000] / time[Q, 2000]}, 0.7, "D_Qn/D_Q"),
    )


@judges("WKS-05", "D_QH and D_SQ <= 2/3 of D_Qn at m=2")
def wks_05(claim: Claim, data: pd.DataFrame) -> Verdict:
    time = times(data)
    return claim.at_most({x: time[x, 2000] / time[QN, 2000] for x in (QH, SQ)}, 2 / 3, "D_{}/D_Qn")


@judges("WKS-06", "D_SQ and D_QH < D_TAS for m >= 1.4")
def wks_06(claim: Claim, data: pd.DataFrame) -> Verdict:
    return below(claim, data, (SQ, QH), (TAS,), (1400, 1600, 1800, 2000))


@judges("WKS-07", "D_TASn < D_SQ and D_QH for all m")
def wks_07(claim: Claim, data: pd.DataFrame) -> Verdict:
    return below(claim, data, (TASN,), (SQ, QH), LEVELS)


@judges("WKS-08", NATN_LEAST)
def wks_08(claim: Claim, data: pd.DataFrame) -> Verdict:
    return natn_is_least(claim, data)


@judges("WKS-09", "D_NAT > D_NATn for m > 1")
def wks_09(claim: Claim, data: pd.DataFrame) -> Verdict:
    return below(claim, data, (NATN,), (NAT,), SHARED)


# At m=1 nothing is preempted, and NATn does what NAT does and a little more.
def natn_is_least(claim: Claim, data: pd.DataFrame) -> Verdict:
    """The check NATN_LEAST."""
    others = tuple(name for name in NAMES if name not in (NAT, NATN))
    return claim.all_of(
        below(claim, data, (NATN,), others, LEVELS), below(claim, data, (NATN,), (NAT,), SHARED)
    )


def times(data: pd.DataFrame) -> Curves:
    """The time of a turn by lock and 1000 m."""
    return turn_curves(data, "multiprogramming", "1000 m")


def below(
    claim: Claim,
    data: pd.DataFrame,
    less: tuple[str, ...],
    more: tuple[str, ...],
    levels: tuple[int, ...],
) -> Verdict:
    """Whether D of each lock of `less` is below D of each of `more` at these levels."""
    time = times(data).require((*less, *more), levels)
    pairs = {
        f"D_{one} over D_{other} at m={m / THOUSANDTHS:g}": time.pair((one, m), (other, m))
        for one in less
        for other in more
        for m in levels
    }
    return claim.ordered(pairs, "{}")


CLAIMS = (wks_01, wks_02, wks_03, wks_04, wks_05, wks_06, wks_07, wks_08, wks_09)
FIGURE = Figure(series, draw, CLAIMS, tidy=True)
CAPTIONS = {
    "later": "Locks that came after the paper, by multiprogramming level.",
    "cas": "Queue locks with compare-and-swap in software and in hardware, by level.",
}
FIGURES = {name: replace(FIGURE, claims=(), caption=text) for name, text in CAPTIONS.items()}
