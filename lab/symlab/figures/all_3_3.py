# SPDX-License-Identifier: MIT
"""ALL Fig. 3.3: a million threads with 300 us of work on average; U_a(P) = 1000s per second.

R_a(P) is the rate of threads without work, as in Figure 3.2.

Claims ALL-23 to ALL-25.
"""

from functools import partial

import pandas as pd

from symlab import thread_rates
from symlab.claims import Claim
from symlab.figure import Figure, Verdict
from symlab.thread_rates import (
    CENTRAL,
    FREELIST,
    LOCAL,
    MANY,
    NULL,
    PROCESSORS,
    SINGLE,
    STRATEGIES,
    WORK,
    below_bound,
    ceiling,
    curves,
    knee,
)

SOURCE = "ALL Fig 3.3"
FEW = 2


def all_23(data: pd.DataFrame) -> Verdict:
    """The strategies differ clearly only with many processors."""
    statement = "(max - min)/max of U over the strategies: at P=2 under a third of that at P=18"
    claim = Claim("ALL-23", SOURCE, statement)
    rate = curves(data, "rate", WORK)
    if missing := rate.missing(STRATEGIES, (FEW, MANY)):
        return claim.not_run(missing)
    few, many = (_spread([rate[s, p] for s in STRATEGIES]) for p in (FEW, MANY))
    note = f"{few:.3g} over {many:.3g}"
    return claim.ordered({"": (3 * few, many, 0.0)}, note=f"three times {note}")


def all_24(data: pd.DataFrame) -> Verdict:
    """With many processors the order of the strategies is that of Figure 3.2."""
    claim = Claim("ALL-24", SOURCE, "U_local(18) > U_freelist(18) > U_single(18)")
    rate = curves(data, "rate", WORK)
    if missing := rate.missing((LOCAL, FREELIST, SINGLE), [MANY]):
        return claim.not_run(missing)
    pairs = {
        "freelist over local": rate.pair(less=(FREELIST, MANY), more=(LOCAL, MANY)),
        "single over freelist": rate.pair(less=(SINGLE, MANY), more=(FREELIST, MANY)),
    }
    return claim.ordered(pairs, note="{}")


def all_25(data: pd.DataFrame) -> Verdict:
    """With random amounts of work, the knee of the curve is rounded."""
    statement = (
        "at the knee of min(P U(1), ceiling) more of the bound is missing than at R's; "
        "ceiling = max R, of the four strategies with one ready queue"
    )
    claim = Claim("ALL-25", "ALL section 5.2", statement)
    null, work = (curves(data, "rate", program) for program in (NULL, WORK))
    if missing := null.missing(CENTRAL, PROCESSORS) or work.missing(CENTRAL, PROCESSORS):
        return claim.not_run(missing)
    more = {}
    for strategy in CENTRAL:
        most = ceiling(null, strategy)
        sharp, rounded = (_at_knee(rate, strategy, most) for rate in (null, work))
        more[f"{strategy}: {sharp:.3g} of the bound without work, {rounded:.3g} with"] = (
            rounded - sharp
        )
    return claim.at_least(more, 0.0, note="{}")


def _spread(values: list[float]) -> float:
    return (max(values) - min(values)) / max(values)


def _at_knee(rate: thread_rates.Curves, strategy: str, most: float) -> float:
    """How far the rate is below the bound, as a part of it, at the P nearest to the knee."""
    at = knee(rate, strategy, most)
    below = below_bound(rate, strategy, most)
    return below[min(below, key=lambda p: abs(p - at))]


FIGURE = Figure(
    id="all-3.3",
    config="configs/figures/ALL/figure-3.3.toml",
    claims=(all_23, all_24, all_25),
    series=thread_rates.rates,
    draw=partial(thread_rates.draw, program=WORK),
    tidy=True,
    quick={"guest.args.threads": 200, "machine.processors": [2, 18]},
    reduced={
        "guest.args.threads": 2000,
        "machine.processors": [2, 18],
        "guest.args.program": ["work_threads"],
        "guest.args.strategy": list(STRATEGIES),
    },
)
