# SPDX-License-Identifier: MIT
"""ALL Fig. 5.1: the queueing model against the threads of Figure 3.3, 300 us of work on average.

Claims ALL-73, ALL-74.
"""

from functools import partial

import numpy as np
import pandas as pd

from symlab.claims import Claim
from symlab.figure import Figure, Verdict
from symlab.model import threads
from symlab.model.demands import measure
from symlab.model.threads import BOTH, FREELIST, LOCAL, MODEL, SIMULATED, STRATEGIES

SOURCE = "ALL Fig 5.1"
MANAGEMENT_US = 10_000
PROCESSORS = range(1, 19)  # the paper's figure ends at 18
OPTIMISTIC = (FREELIST, 18)
APART = range(6, 21)


def all_73(data: pd.DataFrame) -> Verdict:
    """The model is within 5 %, but optimistic where demand for the central queue is highest."""
    statement = (
        "model within 5 % of the simulated rate, both strategies, P=1 to 18, except local free "
        "lists at 18, where it is higher"
    )
    claim = Claim("ALL-73", SOURCE, statement)
    model, simulated = (threads.curves(data, "rate", source) for source in (MODEL, SIMULATED))
    missing = simulated.missing(STRATEGIES, PROCESSORS) or model.missing(STRATEGIES, PROCESSORS)
    if missing:
        return claim.not_run(missing)
    points = [(s, p) for s in STRATEGIES for p in PROCESSORS if (s, p) != OPTIMISTIC]
    errors = {f"{s} at P={p}": abs(model[s, p] / simulated[s, p] - 1) for s, p in points}
    spread = simulated.spread(OPTIMISTIC) + model.spread(OPTIMISTIC)
    optimistic = {"": (simulated[OPTIMISTIC], model[OPTIMISTIC], spread)}
    return claim.all_of(
        claim.at_most(errors, 0.05, note="relative error of {}"),
        claim.ordered(optimistic, note="simulated over model, local free lists at P=18"),
    )


def all_74(data: pd.DataFrame) -> Verdict:
    """The model preserves the order of the two strategies."""
    statement = "sign of U_local - U_freelist the same by model and simulation, P=6 to 20"
    claim = Claim("ALL-74", SOURCE, statement)
    rates = {source: threads.curves(data, "rate", source) for source in BOTH}
    gaps = [rate.missing(STRATEGIES, APART) for rate in rates.values()]
    if any(gaps):
        return claim.not_run("; ".join(gap for gap in gaps if gap))
    differences = {
        source: {p: rate[LOCAL, p] - rate[FREELIST, p] for p in APART}
        for source, rate in rates.items()
    }
    model, simulated = differences[MODEL], differences[SIMULATED]
    agreeing = {
        f"{p} by the model, times the sign simulated, where it is {simulated[p]:.3g}": model[p]
        * np.sign(simulated[p])
        for p in APART
    }
    return claim.at_least(agreeing, 0.0, note="difference in 1000s per second at P={}")


FIGURE = Figure(
    id="all-5.1",
    config="configs/figures/ALL/figure-5.1.toml",
    claims=(all_73, all_74),
    series=partial(threads.compared, management_us=MANAGEMENT_US),
    draw=partial(threads.draw, x="processors", label="Processors"),
    measure=measure,
    tidy=True,
    quick={
        "machine.processors": [1, 8],
        "guest.args.warm": 2,
        "guest.args.program, guest.args.strategy, guest.args.work_us, guest.args.threads": [
            ["work_threads", "local-freelist", 10000, 32],
            ["work_threads", "local-readyq-random", 10000, 32],
            ["null_threads", "local-freelist", 300, 400],
            ["work_threads", "local-freelist", 300, 200],
            ["work_threads", "local-readyq-random", 300, 200],
        ],
    },
    reduced={
        "guest.args.program, guest.args.strategy, guest.args.work_us, guest.args.threads": [
            ["work_threads", "local-freelist", 10000, 400],
            ["work_threads", "local-readyq-random", 10000, 400],
            ["null_threads", "local-freelist", 300, 5000],
            ["work_threads", "local-freelist", 300, 5000],
            ["work_threads", "local-readyq-random", 300, 5000],
        ],
    },
)
