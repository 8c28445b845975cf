# SPDX-License-Identifier: MIT
"""ALL Fig. 5.3: 20 processors, threads of 200 us of work, by what the work takes of the bus.

The paper could only model this case; we also simulate it. Claim ALL-76.
"""

from functools import partial
from itertools import pairwise

import pandas as pd
from matplotlib.axes import Axes

from symlab.claims import Claim
from symlab.curves import Curves
from symlab.figure import Figure, Verdict
from symlab.model import threads
from symlab.model.demands import measure
from symlab.model.threads import BOTH, FREELIST, LOCAL, STRATEGIES

MANAGEMENT_US = 10_000
PROCESSORS = 20
STORE_TURNS = (0, 15, 7, 5, 3, 1)  # loop iterations from one store to the next; 0: no stores


def draw(ax: Axes, data: pd.DataFrame) -> None:
    label = "Part of the bus that one processor's work takes"
    threads.draw(ax, data, "alone_bus_share", label)


def all_76(data: pd.DataFrame) -> Verdict:
    """More bus use per thread lowers the rates of both strategies and shrinks their gap."""
    statement = (
        "P=20, 200 us: R_local, R_freelist and (R_local - R_freelist)/R_local all fall as the "
        "work's use of the bus grows, from each point to the next; by model and simulation"
    )
    claim = Claim("ALL-76", "ALL Fig 5.3", statement)
    parts = []
    for source in BOTH:
        rate = threads.curves(data, "rate", source, x="store_turns", symbol="store_turns ")
        if missing := rate.missing(STRATEGIES, STORE_TURNS):
            parts.append(claim.not_run(f"{source}: {missing}"))
            continue
        falls = {f"rate of {s}": [rate[s, turns] for turns in STORE_TURNS] for s in STRATEGIES}
        parts += [_falls(claim, source, what, values) for what, values in falls.items()]
        parts.append(_falls(claim, source, "gap", _gaps(rate)))
    return claim.all_of(*parts)


def _gaps(rate: Curves) -> list[float]:
    return [1 - rate[FREELIST, turns] / rate[LOCAL, turns] for turns in STORE_TURNS]


def _falls(claim: Claim, source: str, what: str, values: list[float]) -> Verdict:
    steps = {
        f"a store each {turns} turns": before - after
        for turns, (before, after) in zip(STORE_TURNS[1:], pairwise(values), strict=True)
    }
    return claim.at_least(steps, 0.0, note=f"{source}: fall of the {what} to {{}}")


FIGURE = Figure(
    id="all-5.3",
    config="configs/figures/ALL/figure-5.3.toml",
    claims=(all_76,),
    series=partial(threads.of_processors, management_us=MANAGEMENT_US, processors=PROCESSORS),
    draw=draw,
    measure=measure,
    tidy=True,
    quick={
        "guest.args.warm": 2,
        threads.AXIS: [
            ["work_threads", "local-freelist", 10000, 40, 0],
            ["work_threads", "local-readyq-random", 10000, 40, 0],
            ["null_threads", "local-freelist", 200, 400, 0],
            ["loaded_threads", "local-freelist", 200, 200, 3],
            ["loaded_threads", "local-readyq-random", 200, 200, 3],
        ],
    },
    reduced={threads.AXIS: threads.rows_by_load(200, 1600, STORE_TURNS, MANAGEMENT_US, 160)},
)
