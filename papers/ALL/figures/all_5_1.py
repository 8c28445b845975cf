# SPDX-License-Identifier: MIT
"""ALL Fig. 5.1: the queueing model and the threads of Figure 3.3, 300 us of work on average.

ALL-73 compares the model with the runs of Figure 3.3. This sweep simulates the same threads in
shorter runs, with which ALL-74 compares the model.
"""

from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd
from symlab.errors import NotRun
from symlab.plot.curves import chosen
from symlab.plot.figure import Beside, Verdict
from symlab_papers.claims import Claim, judges
from symlab_papers.model import threads
from symlab_papers.model.threads import MODEL, SIMULATED, STRATEGIES
from symlab_papers.names import FREELIST, LOCAL, WORK

MANAGEMENT_US = 10_000
PROCESSORS = range(1, 19)  # the paper's figure ends at 18
OPTIMISTIC = (FREELIST, 18)
MILLION = "Figure 3.3"  # source of the rates of that figure, which has a million threads
SHARED = ["strategy", "processors", "value", "spread"]
APART = range(6, 21)


@judges("ALL-73")
def all_73(claim: Claim, data: pd.DataFrame) -> Verdict:
    rates = [threads.curves(data, "rate", source) for source in (MILLION, MODEL)]
    if not rates[0].values:
        raise NotRun("the runs of Figure 3.3")
    simulated, model = (rate.require(STRATEGIES, PROCESSORS) for rate in rates)
    points = [(s, p) for s in STRATEGIES for p in PROCESSORS if (s, p) != OPTIMISTIC]
    errors = {f"{s} at P={p}": abs(model[s, p] / simulated[s, p] - 1) for s, p in points}
    optimistic = {"": (simulated.ranged(*OPTIMISTIC), model.ranged(*OPTIMISTIC))}
    return claim.all_of(
        claim.at_most(errors, 0.05, note="relative error of {}"),
        claim.ordered(optimistic, note="simulated over model, local free lists at P=18"),
    )


@judges("ALL-74")
def all_74(claim: Claim, data: pd.DataFrame) -> Verdict:
    rates = [threads.curves(data, "rate", source) for source in (MODEL, SIMULATED)]
    model, simulated = (
        {p: rate.ranged(LOCAL, p) - rate.ranged(FREELIST, p) for p in APART} for rate in rates
    )
    apart = {p: of.value for p, of in simulated.items() if not abs(of.value) <= of.spread}
    agreeing = {
        f"{p} by the model, times the sign simulated, where it is {lead:.3g}": (
            model[p].value * np.sign(lead)
        )
        for p, lead in apart.items()
    }
    if not agreeing:
        return claim.undecided("the simulated difference nowhere exceeds its spread")
    within = ", ".join(str(p) for p in APART if p not in apart) or "none"
    note = f"difference in 1000s per second at P={{}}; within the spread: P={within}"
    return claim.at_least(agreeing, 0.0, note)


def with_million(data: pd.DataFrame, million: pd.DataFrame) -> pd.DataFrame:
    """The data with the rates of Figure 3.3's data `million` as a further source, MILLION."""
    rates = chosen(million, program=WORK, quantity="rate")
    return pd.concat([data, rates.assign(source=MILLION)[[*SHARED, "source", "quantity"]]])


def with_own(data: pd.DataFrame) -> pd.DataFrame:
    """The data with its own simulated rates in place of those of Figure 3.3."""
    own = chosen(data, source=SIMULATED, quantity="rate")
    return pd.concat([data, own.assign(source=MILLION)[[*SHARED, "source", "quantity"]]])


draw = partial(threads.draw, x="processors", label="Processors")
FIGURE = replace(
    threads.figure((all_73, all_74), MANAGEMENT_US, draw),
    beside=Beside("figure-3.3", with_million, with_own),
)
