# SPDX-License-Identifier: MIT
"""ALL Fig. 5.4: threads of 2 ms of work, by number of processors, up to 64.

The paper could only model more than 20 processors; we also simulate them.
"""

from functools import partial
from itertools import combinations, pairwise

import pandas as pd
from symlab.plot.curves import Curves, chosen
from symlab.plot.figure import Verdict
from symlab.plot.ranged import ONE, Ranged
from symlab_papers.claims import Claim, judges
from symlab_papers.model import threads
from symlab_papers.model.threads import BOTH, STRATEGIES
from symlab_papers.names import FREELIST, LOCAL

MANAGEMENT_US = 20_000
PROCESSORS = (1, 8, 16, 24, 32, 40, 52, 64)
LOADS = (11, 5)  # loop iterations of the work from one store to the next
DRAWN = 11
FALL = 0.2
FLAT = 0.01  # without a measured spread, a smaller fall does not count as one


# The paper's text does not state how much of the bus the work uses. So the claim holds if it
# holds with one of LOADS.
@judges("ALL-77")
def all_77(claim: Claim, data: pd.DataFrame) -> Verdict:
    loads = [claim.all_of(*(_drop(claim, data, load, source) for source in BOTH)) for load in LOADS]
    # The best verdict: one that holds, else one that fails; of several the largest margin.
    order = ("holds", "undecided", "fails", "not run")
    return min(loads, key=lambda v: (order.index(v.state), -(v.margin or 0.0)))


def _drop(claim: Claim, data: pd.DataFrame, load: int, source: str) -> Verdict:
    case = f"{source}, a store each {load} turns"
    of_load = chosen(data, store_turns=load)
    rate = threads.curves(of_load, "rate", source).require(STRATEGIES, PROCESSORS)
    central, knee = rate.curve(FREELIST), rate.peak(FREELIST)
    fall = 1 - central[PROCESSORS[-1]] / central[knee]
    return claim.all_of(
        claim.at_least({"": fall}, FALL, note=f"{case}: fall from the maximum"),
        _stays(claim, rate, [p for p in PROCESSORS if p >= knee], case),
    )


def _stays(claim: Claim, rate: Curves, past: list[int], case: str) -> Verdict:
    """Whether the rate of local ready queues falls by no more than the spread of its points."""
    if len(past) < 2:
        return claim.judged(False, None, None, None, f"{case}: no maximum before P=64")
    at = {p: rate.ranged(LOCAL, p) for p in past}
    falls = {f"P={p} to {q}": ONE - at[q] / at[p] for p, q in combinations(past, 2)}
    return claim.not_positive(falls, FLAT, f"{case}: fall of local queues from {{}}")


@judges("ALL-78")
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


def _growth(curve: Curves, past: list[int], what: str) -> dict[str, tuple[Ranged, Ranged]]:
    return {
        f"{what} at P={p} over P={q}": curve.pair(less=(FREELIST, p), more=(FREELIST, q))
        for p, q in pairwise(past)
    }


draw = partial(threads.draw, x="processors", label="Processors", store_turns=DRAWN)
FIGURE = threads.figure((all_77, all_78), MANAGEMENT_US, draw)
