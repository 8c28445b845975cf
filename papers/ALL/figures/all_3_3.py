# SPDX-License-Identifier: MIT
"""ALL Fig. 3.3: a million threads with 300 us of work on average; U_a(P) = 1000s per second.

R_a(P) is the rate of threads without work, as in Figure 3.2.
"""

from functools import partial

import pandas as pd
from symlab.errors import NotRun
from symlab.plot.figure import Verdict
from symlab.plot.ranged import ONE, Ranged
from symlab_papers.claims import Claim, judges
from symlab_papers.expressions import claims
from symlab_papers.measures.thread_rates import PROCESSORS, Rates, curves, figure
from symlab_papers.names import CENTRAL, NULL, WORK


@judges("ALL-25")
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


def _at_knee(rate: Rates, strategy: str, most: Ranged) -> tuple[Ranged, Ranged]:
    """The rate and its bound at the P nearest to the knee."""
    at = rate.knee(strategy, most.value)
    p = min(rate.curve(strategy), key=lambda p: abs(p - at))
    bound = min(rate.ranged(strategy, 1) * p, most, key=lambda r: r.value)
    return rate.ranged(strategy, p), bound


U = partial(curves, quantity="rate", program=WORK)
FIGURE = figure(WORK, claims("all-3.3", all_25, U=U))
