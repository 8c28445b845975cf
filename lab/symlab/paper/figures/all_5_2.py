# SPDX-License-Identifier: MIT
"""ALL Fig. 5.2: 20 processors whose work takes 5 % of the bus each, by work of a thread.

The paper could only model this case; we also simulate it.
"""

from functools import partial
from itertools import pairwise

import pandas as pd

from symlab.paper.claims import Claim, judges
from symlab.paper.figure import Verdict
from symlab.paper.model import threads
from symlab.paper.model.threads import BOTH, STRATEGIES
from symlab.paper.names import FREELIST, LOCAL

MANAGEMENT_US = 10_000
PROCESSORS = 20
WORKS_US = (50, 100, 200, 400, 1600, 3200)
ALIKE = 1.05
FLAT = 0.01  # a smaller step up does not count as one


@judges(
    "ALL-75",
    "P=20: R_local/R_freelist falls as work grows (no step up by over 0.01), over 1.05 with the"
    " least work and at most 1.05 with the most; by model and simulation",
)
def all_75(claim: Claim, data: pd.DataFrame) -> Verdict:
    parts = []
    for source in BOTH:
        rate = threads.curves(data, "rate", source, x="work_us", symbol="work us ")
        rate.require(STRATEGIES, WORKS_US)
        ratios = {w: rate[LOCAL, w] / rate[FREELIST, w] for w in WORKS_US}
        steps = {f"to {w} us": ratios[w] - ratios[before] for before, w in pairwise(WORKS_US)}
        parts += [
            claim.at_most(steps, FLAT, note=f"{source}: largest step, {{}}"),
            claim.at_most({"": ratios[WORKS_US[-1]]}, ALIKE, note=f"{source}: with the most work"),
            claim.at_least({"": ratios[WORKS_US[0]]}, ALIKE, note=f"{source}: with the least work"),
        ]
    return claim.all_of(*parts)


LABEL = "Work of a thread on one processor (µs)"
draw = partial(threads.draw, x="alone_us", label=LABEL, log=True)
FIGURE = threads.figure((all_75,), MANAGEMENT_US, draw, processors=PROCESSORS)
