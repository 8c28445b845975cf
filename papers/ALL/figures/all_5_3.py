# SPDX-License-Identifier: MIT
"""ALL Fig. 5.3: 20 processors, threads of 200 us of work, by the bus use of the work.

The paper could only model this case; we also simulate it.
"""

from functools import partial
from itertools import pairwise

import pandas as pd
from symlab.plot.figure import Verdict
from symlab.plot.ranged import ONE, Ranged
from symlab_papers.claims import Claim, judges
from symlab_papers.model import threads
from symlab_papers.model.threads import BOTH, STRATEGIES
from symlab_papers.names import FREELIST, LOCAL

MANAGEMENT_US = 10_000
PROCESSORS = 20
STORE_TURNS = (0, 15, 7, 5, 3, 1)  # loop iterations from one store to the next; 0: no stores


@judges("ALL-76")
def all_76(claim: Claim, data: pd.DataFrame) -> Verdict:
    parts = []
    for source in BOTH:
        rate = threads.curves(data, "rate", source, x="store_turns", symbol="store_turns ")
        rate.require(STRATEGIES, STORE_TURNS)
        at = {s: [rate.ranged(s, turns) for turns in STORE_TURNS] for s in STRATEGIES}
        parts += [_falls(claim, source, f"rate of {s}", values) for s, values in at.items()]
        gaps = [ONE - less / more for less, more in zip(at[FREELIST], at[LOCAL], strict=True)]
        parts.append(_falls(claim, source, "gap", gaps))
    return claim.all_of(*parts)


def _falls(claim: Claim, source: str, what: str, values: list[Ranged]) -> Verdict:
    steps = {
        f"a store each {turns} turns": before - after
        for turns, (before, after) in zip(STORE_TURNS[1:], pairwise(values), strict=True)
    }
    return claim.positive(steps, note=f"{source}: fall of the {what} to {{}}")


LABEL = "Part of the bus that one processor's work takes"
draw = partial(threads.draw, x="alone_bus_share", label=LABEL)
FIGURE = threads.figure((all_76,), MANAGEMENT_US, draw, processors=PROCESSORS)
