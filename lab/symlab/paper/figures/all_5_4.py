# SPDX-License-Identifier: MIT
"""ALL Fig. 5.4: threads of 2 ms of work, by number of processors, up to 64.

The paper could only model more than 20 processors; we also simulate them.
"""

from functools import partial
from itertools import pairwise

import pandas as pd

from symlab.paper.claims import Claim, judges
from symlab.paper.figure import Verdict
from symlab.paper.model import threads
from symlab.paper.model.threads import BOTH, STRATEGIES
from symlab.paper.names import FREELIST, LOCAL
from symlab.plot.curves import Curves, chosen

MANAGEMENT_US = 20_000
PROCESSORS = (1, 8, 16, 24, 32, 40, 52, 64)
LOADS = (11, 5)  # loop iterations of the work from one store to the next
DRAWN = 11
FALL = 0.2
FLAT = 0.01  # a smaller step down does not count as one


# The paper's text does not state how much of the bus the work uses. So the claim holds if it
# holds with one of LOADS.
@judges(
    "ALL-77",
    "with 5.0 or 2.5 % of the bus for a processor's work: R_freelist has its maximum before "
    "P=64 and falls by 20 % from there; R_local nowhere falls by over 1 %; by model and "
    "simulation",
)
def all_77(claim: Claim, data: pd.DataFrame) -> Verdict:
    loads = [claim.all_of(*(_drop(claim, data, load, source) for source in BOTH)) for load in LOADS]
    # The best verdict: one that holds, else one that fails; of several the largest margin.
    order = ("holds", "fails", "not run")
    return min(loads, key=lambda v: (order.index(v.state), -(v.margin or 0.0)))


def _drop(claim: Claim, data: pd.DataFrame, load: int, source: str) -> Verdict:
    case = f"{source}, a store each {load} turns"
    of_load = chosen(data, store_turns=load)
    rate = threads.curves(of_load, "rate", source).require(STRATEGIES, PROCESSORS)
    central, local = (rate.curve(strategy) for strategy in (FREELIST, LOCAL))
    fall = 1 - central[PROCESSORS[-1]] / max(central.values())
    steps = {f"P={q:g}": local[q] / local[p] - 1 for p, q in pairwise(local)}
    return claim.all_of(
        claim.at_least({"": fall}, FALL, note=f"{case}: fall from the maximum"),
        claim.at_least(steps, -FLAT, note=f"{case}: local queues' step to {{}}"),
    )


@judges(
    "ALL-78",
    "local free lists, from the maximum of R_freelist on: section and mean spinners both grow "
    "from each number of processors to the next; by model and simulation, at both loads",
)
def all_78(claim: Claim, data: pd.DataFrame) -> Verdict:
    return claim.all_of(
        *(_together(claim, data, load, source) for load in LOADS for source in BOTH)
    )


def _together(claim: Claim, data: pd.DataFrame, load: int, source: str) -> Verdict:
    case = f"{source}, a store each {load} turns"
    of_load = chosen(data, store_turns=load)
    rate, section, spinners = (
        threads.curves(of_load, quantity, source) for quantity in ("rate", "section_us", "spinners")
    )
    knee = rate.require([FREELIST], PROCESSORS).peak(FREELIST)
    past = [p for p in PROCESSORS if p >= knee]
    if len(past) < 2:
        return claim.judged(False, knee, PROCESSORS[-1], 0.0, f"{case}: no maximum before P=64")
    pairs = _growth(section, past, "section") | _growth(spinners, past, "spinners")
    return claim.ordered(pairs, note=f"{case}: {{}}")


def _growth(curve: Curves, past: list[int], what: str) -> dict[str, tuple[float, float, float]]:
    return {
        f"{what} at P={p} over P={q}": curve.pair(less=(FREELIST, p), more=(FREELIST, q))
        for p, q in pairwise(past)
    }


draw = partial(threads.draw, x="processors", label="Processors", store_turns=DRAWN)
FIGURE = threads.figure((all_77, all_78), MANAGEMENT_US, draw)
