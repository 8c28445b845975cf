# SPDX-License-Identifier: MIT
"""ALL Fig. 5.1: the queueing model and the threads of Figure 3.3, 300 us of work on average."""

from functools import partial

import numpy as np
import pandas as pd

from symlab.paper.claims import Claim, judges
from symlab.paper.figure import Verdict
from symlab.paper.model import threads
from symlab.paper.model.threads import MODEL, SIMULATED, STRATEGIES
from symlab.paper.names import FREELIST, LOCAL

MANAGEMENT_US = 10_000
PROCESSORS = range(1, 19)  # the paper's figure ends at 18
OPTIMISTIC = (FREELIST, 18)
APART = range(6, 21)


@judges(
    "ALL-73",
    "model within 5 % of the simulated rate, both strategies, P=1 to 18, except local free "
    "lists at 18, where it is higher",
)
def all_73(claim: Claim, data: pd.DataFrame) -> Verdict:
    rates = [threads.curves(data, "rate", source) for source in (SIMULATED, MODEL)]
    simulated, model = (rate.require(STRATEGIES, PROCESSORS) for rate in rates)
    points = [(s, p) for s in STRATEGIES for p in PROCESSORS if (s, p) != OPTIMISTIC]
    errors = {f"{s} at P={p}": abs(model[s, p] / simulated[s, p] - 1) for s, p in points}
    spread = simulated.spread(OPTIMISTIC) + model.spread(OPTIMISTIC)
    optimistic = {"": (simulated[OPTIMISTIC], model[OPTIMISTIC], spread)}
    return claim.all_of(
        claim.at_most(errors, 0.05, note="relative error of {}"),
        claim.ordered(optimistic, note="simulated over model, local free lists at P=18"),
    )


@judges("ALL-74", "sign of U_local - U_freelist the same by model and simulation, P=6 to 20")
def all_74(claim: Claim, data: pd.DataFrame) -> Verdict:
    rates = [threads.curves(data, "rate", source) for source in (MODEL, SIMULATED)]
    model, simulated = ({p: r[LOCAL, p] - r[FREELIST, p] for p in APART} for r in rates)
    agreeing = {
        f"{p} by the model, times the sign simulated, where it is {simulated[p]:.3g}": model[p]
        * np.sign(simulated[p])
        for p in APART
    }
    return claim.at_least(agreeing, 0.0, note="difference in 1000s per second at P={}")


draw = partial(threads.draw, x="processors", label="Processors")
FIGURE = threads.figure((all_73, all_74), MANAGEMENT_US, draw)
