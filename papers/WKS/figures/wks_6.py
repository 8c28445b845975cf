# SPDX-License-Identifier: MIT
"""WKS Fig. 6: time of the synthetic program by number of processors, at two processes a processor.

D_x(P): time of a turn with lock x and P workers on the SGI Iris. Ideally it does not depend on P.
"""

from collections.abc import Iterable

import pandas as pd
from matplotlib.axes import Axes
from symlab.plot.curves import Curves
from symlab.plot.figure import Figure, Verdict
from symlab_papers.claims import Claim, judges
from symlab_papers.measures.processes import (
    NAT,
    NATN,
    QN,
    SQ,
    TAS,
    TASN,
    Q,
    of_variant,
    turn_curves,
    turn_plot,
    turns,
)

MOST = 7
SEVERAL = range(2, MOST + 1)
EVEN = 1.15  # D(7)/D(2) above it degrades, up to it is "more or less even"


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """Tidy data, sorted: VARIANTS, lock, workers, turn_us, spread_us."""
    return turns(runs, "workers")


def draw(ax: Axes, data: pd.DataFrame) -> None:
    turn_plot("workers")(ax, of_variant(data))


@judges("WKS-24", "D(7)/D(1) >= 1.5 for Q and Qn")
def wks_24(claim: Claim, data: pd.DataFrame) -> Verdict:
    return claim.at_least(_growth(data, (Q, QN), 1), 1.5, "{}")


@judges("WKS-25", "D(7)/D(2) > 1.15 for TAS and NAT")
def wks_25(claim: Claim, data: pd.DataFrame) -> Verdict:
    return claim.at_least(_growth(data, (TAS, NAT), 2), EVEN, "{}")


@judges("WKS-26", "D(7)/D(2) <= 1.15 for SQ, TASn, NATn; D_SQ > D_TASn and D_NATn for P = 2 to 7")
def wks_26(claim: Claim, data: pd.DataFrame) -> Verdict:
    return claim.all_of(
        claim.at_most(_growth(data, (SQ, TASN, NATN), 2), EVEN, "{}"),
        below_sq(claim, data, (TASN, NATN), SEVERAL),
    )


def below_sq(
    claim: Claim, data: pd.DataFrame, locks: tuple[str, ...], several: Iterable[int]
) -> Verdict:
    """Whether D of each of the locks is below D_SQ with each of these numbers of processors."""
    time = times(data).require((SQ, *locks), several)
    pairs = {
        f"D_{lock} over D_SQ at P={p}": time.pair((lock, p), (SQ, p))
        for lock in locks
        for p in several
    }
    return claim.ordered(pairs, "{}")


def times(data: pd.DataFrame) -> Curves:
    """The time of a turn by lock and number of processors."""
    return turn_curves(data, "workers")


def _growth(data: pd.DataFrame, locks: tuple[str, ...], first: int) -> dict[str, float]:
    time = times(data).require(locks, (first, MOST))
    return {f"D_{x}({MOST})/D_{x}({first})": time[x, MOST] / time[x, first] for x in locks}


FIGURE = Figure(series, draw, (wks_24, wks_25, wks_26), tidy=True)
