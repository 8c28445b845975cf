# SPDX-License-Identifier: MIT
"""ALL Fig. 3.3: a million threads with 300 us of work on average; U_a(P) = 1000s per second.

R_a(P) is the rate of threads without work, as in Figure 3.2.
"""

import pandas as pd

from symlab.paper.claims import Claim, judges
from symlab.paper.figure import Verdict
from symlab.paper.measures.thread_rates import MANY, PROCESSORS, Rates, curves, figure
from symlab.paper.names import CENTRAL, FREELIST, LOCAL, NULL, SINGLE, STRATEGIES, WORK

FEW = 2


@judges("ALL-23", "(max - min)/max of U over the strategies: at P=2 under a third of that at P=18")
def all_23(claim: Claim, data: pd.DataFrame) -> Verdict:
    rate = curves(data, "rate", WORK).require(STRATEGIES, (FEW, MANY))
    at_both = ([rate[s, p] for s in STRATEGIES] for p in (FEW, MANY))
    few, many = ((max(rates) - min(rates)) / max(rates) for rates in at_both)
    note = f"{few:.3g} over {many:.3g}"
    return claim.ordered({"": (3 * few, many, 0.0)}, note=f"three times {note}")


@judges("ALL-24", "U_local(18) > U_freelist(18) > U_single(18)")
def all_24(claim: Claim, data: pd.DataFrame) -> Verdict:
    rate = curves(data, "rate", WORK).require((LOCAL, FREELIST, SINGLE), [MANY])
    pairs = {
        "freelist over local": rate.pair(less=(FREELIST, MANY), more=(LOCAL, MANY)),
        "single over freelist": rate.pair(less=(SINGLE, MANY), more=(FREELIST, MANY)),
    }
    return claim.ordered(pairs, note="{}")


@judges(
    "ALL-25",
    "at the knee of min(P U(1), ceiling) more of the bound is missing than at R's; ceiling = "
    "max R, of the four strategies with one ready queue",
)
def all_25(claim: Claim, data: pd.DataFrame) -> Verdict:
    rates = [curves(data, "rate", program) for program in (NULL, WORK)]
    null, work = (rate.require(CENTRAL, PROCESSORS) for rate in rates)
    more = {}
    for strategy in CENTRAL:
        most = null.ceiling(strategy)
        sharp, rounded = (_at_knee(rate, strategy, most) for rate in (null, work))
        more[f"{strategy}: {sharp:.3g} of the bound without work, {rounded:.3g} with"] = (
            rounded - sharp
        )
    return claim.at_least(more, 0.0, note="{}")


def _at_knee(rate: Rates, strategy: str, most: float) -> float:
    """How far the rate is below the bound, as a part of it, at the P nearest to the knee."""
    at = rate.knee(strategy, most)
    below = rate.below_bound(strategy, most)
    return below[min(below, key=lambda p: abs(p - at))]


FIGURE = figure(WORK, (all_23, all_24, all_25))
