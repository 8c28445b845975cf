# SPDX-License-Identifier: MIT
"""ALL Fig. 5.2: 20 processors whose work takes 5 % of the bus each, by work of a thread.

The paper could only model this case; we also simulate it.
"""

from functools import partial
from itertools import pairwise

import pandas as pd
from symlab.plot.figure import Verdict
from symlab_papers.claims import Claim, judges
from symlab_papers.model import threads
from symlab_papers.model.threads import BOTH, STRATEGIES
from symlab_papers.names import FREELIST, LOCAL

MANAGEMENT_US = 10_000
PROCESSORS = 20
WORKS_US = (50, 100, 200, 400, 1600, 3200)
ALIKE = 1.05
FLAT = 0.01  # without a measured spread, a smaller step up does not count as one


@judges("ALL-75")
def all_75(claim: Claim, data: pd.DataFrame) -> Verdict:
    parts = []
    for source in BOTH:
        rate = threads.curves(data, "rate", source, x="work_us", symbol="work us ")
        rate.require(STRATEGIES, WORKS_US)
        ratios = {w: rate.ranged(LOCAL, w) / rate.ranged(FREELIST, w) for w in WORKS_US}
        steps = {f"to {w} us": ratios[w] - ratios[before] for before, w in pairwise(WORKS_US)}
        least, most = (ratios[work_us] for work_us in (WORKS_US[0], WORKS_US[-1]))
        parts += [
            claim.not_positive(steps, FLAT, note=f"{source}: largest step, {{}}"),
            claim.positive({"": least - most}, note=f"{source}: fall to the most work"),
            claim.at_most({"": most.value}, ALIKE, note=f"{source}: with the most work"),
            claim.at_least({"": least.value}, ALIKE, note=f"{source}: with the least work"),
        ]
    return claim.all_of(*parts)


LABEL = "Work of a thread on one processor (us)"
draw = partial(threads.draw, x="alone_us", label=LABEL, log=True)
FIGURE = threads.figure((all_75,), MANAGEMENT_US, draw, processors=PROCESSORS)
