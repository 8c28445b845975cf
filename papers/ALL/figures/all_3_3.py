# SPDX-License-Identifier: MIT
"""ALL Fig. 3.3: a million threads with 300 us of work on average; U_a(P) = 1000s per second.

R_a(P) is the rate of threads without work, as in Figure 3.2.
"""

import pandas as pd
from symlab.errors import NotRun
from symlab.plot.figure import Verdict
from symlab.plot.ranged import ONE, Ranged
from symlab_papers.claims import Claim, judges
from symlab_papers.measures.thread_rates import MANY, PROCESSORS, Rates, curves, figure
from symlab_papers.names import CENTRAL, FREELIST, LOCAL, NULL, SINGLE, STRATEGIES, WORK

FEW = 2


@judges("ALL-23", "(max - min)/max of U over the strategies: at P=2 under a third of that at P=18")
def all_23(claim: Claim, data: pd.DataFrame) -> Verdict:
    rate = curves(data, "rate", WORK).require(STRATEGIES, (FEW, MANY))
    few, many = (_apart(rate, p) for p in (FEW, MANY))
    note = f"three times {few.value:.3g} over {many.value:.3g}"
    return claim.ordered({"": (few * 3, many)}, note=note)


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
    "max R, of those of the four strategies with one ready queue whose R at the knee is not the "
    "bound itself",
)
def all_25(claim: Claim, data: pd.DataFrame) -> Verdict:
    rates = [curves(data, "rate", program) for program in (NULL, WORK)]
    null, work = (rate.require(CENTRAL, PROCESSORS) for rate in rates)
    more = {}
    for strategy in CENTRAL:
        most = null.ranged(strategy, null.peak(strategy))
        (sharp, bound), (rounded, other) = (_at_knee(rate, strategy, most) for rate in (null, work))
        if sharp == bound:
            continue  # its highest rate, or its rate with one processor: nothing can be missing
        missing = ONE - sharp / bound, ONE - rounded / other
        parts = f"{missing[0].value:.3g} of the bound without work, {missing[1].value:.3g} with"
        # The spread of a bound that both have does not tell them apart.
        same = bound == other
        more[f"{strategy}: {parts}"] = (
            (sharp - rounded) / bound if same else missing[1] - missing[0]
        )
    if not more:
        raise NotRun("a strategy whose rate at the knee is not the bound itself")
    return claim.positive(more, note="{}")


def _apart(rate: Rates, processors: int) -> Ranged:
    """(max - min) / max of the rates of all strategies."""
    at = sorted((rate.ranged(s, processors) for s in STRATEGIES), key=lambda r: r.value)
    return ONE - at[0] / at[-1]


def _at_knee(rate: Rates, strategy: str, most: Ranged) -> tuple[Ranged, Ranged]:
    """The rate and its bound at the P nearest to the knee."""
    at = rate.knee(strategy, most.value)
    p = min(rate.curve(strategy), key=lambda p: abs(p - at))
    bound = min(rate.ranged(strategy, 1) * p, most, key=lambda r: r.value)
    return rate.ranged(strategy, p), bound


FIGURE = figure(WORK, (all_23, all_24, all_25))
