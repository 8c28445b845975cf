# SPDX-License-Identifier: MIT
"""ALL Fig. 5.2: 20 processors whose work takes 5 % of the bus each, by work of a thread.

The paper could only model this case; we also simulate it. Claim ALL-75.
"""

from functools import partial
from itertools import pairwise

import pandas as pd
from matplotlib.axes import Axes

from symlab.claims import Claim
from symlab.figure import Figure, Verdict
from symlab.model import threads
from symlab.model.demands import measure
from symlab.model.threads import BOTH, FREELIST, LOCAL, STRATEGIES

MANAGEMENT_US = 10_000
PROCESSORS = 20
WORKS_US = (50, 100, 200, 400, 1600, 3200)
ALIKE = 1.05
FLAT = 0.01  # a smaller step up does not count as one


def draw(ax: Axes, data: pd.DataFrame) -> None:
    threads.draw(ax, data, "alone_us", "Work of a thread on one processor (µs)")
    ax.set_xscale("log")


def all_75(data: pd.DataFrame) -> Verdict:
    """With finer work the central queue is the bottleneck; coarser work closes the gap."""
    statement = (
        "P=20: R_local/R_freelist falls as work grows (no step up by over 0.01), over 1.05 with "
        "the least work and at most 1.05 with the most; by model and simulation"
    )
    claim = Claim("ALL-75", "ALL Fig 5.2", statement)
    parts = []
    for source in BOTH:
        rate = threads.curves(data, "rate", source, x="work_us", symbol="work us ")
        if missing := rate.missing(STRATEGIES, WORKS_US):
            parts.append(claim.not_run(f"{source}: {missing}"))
            continue
        ratios = {w: rate[LOCAL, w] / rate[FREELIST, w] for w in WORKS_US}
        steps = {
            f"to {w} us": after - before for (_, before), (w, after) in pairwise(ratios.items())
        }
        parts += [
            claim.at_most(steps, FLAT, note=f"{source}: largest step, {{}}"),
            claim.at_most({"": ratios[WORKS_US[-1]]}, ALIKE, note=f"{source}: with the most work"),
            claim.at_least({"": ratios[WORKS_US[0]]}, ALIKE, note=f"{source}: with the least work"),
        ]
    return claim.all_of(*parts)


FIGURE = Figure(
    id="all-5.2",
    config="configs/figures/ALL/figure-5.2.toml",
    claims=(all_75,),
    series=partial(threads.of_processors, management_us=MANAGEMENT_US, processors=PROCESSORS),
    draw=draw,
    measure=measure,
    tidy=True,
    quick={
        "guest.args.warm": 2,
        "guest.args.program, guest.args.strategy, guest.args.work_us, guest.args.threads": [
            ["work_threads", "local-freelist", 10000, 40],
            ["work_threads", "local-readyq-random", 10000, 40],
            ["null_threads", "local-freelist", 200, 400],
            ["loaded_threads", "local-freelist", 100, 200],
            ["loaded_threads", "local-readyq-random", 100, 200],
        ],
    },
    reduced={
        "guest.args.program, guest.args.strategy, guest.args.work_us, guest.args.threads": [
            *(["work_threads", strategy, MANAGEMENT_US, 160] for strategy in STRATEGIES),
            ["null_threads", FREELIST, 200, 1600],
            *(
                ["loaded_threads", strategy, work_us, 1600 if work_us < 1000 else 640]
                for work_us in WORKS_US
                for strategy in STRATEGIES
            ),
        ],
    },
)
