# SPDX-License-Identifier: MIT
"""ALL Fig. 5.4: threads of 2 ms of work, by number of processors, up to 64.

The paper could only model more than 20 processors; we also simulate them. Claims ALL-77, ALL-78.
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

SOURCE = "ALL Fig 5.4"
MANAGEMENT_US = 20_000
PROCESSORS = (1, 8, 16, 24, 32, 40, 52, 64)
LOADS = (11, 5)  # loop iterations of the work from one store to the next
DRAWN = 11
FALL = 0.2
FLAT = 0.01  # a smaller step down does not count as one


def draw(ax: Axes, data: pd.DataFrame) -> None:
    threads.draw(ax, data[data["store_turns"] == DRAWN], "processors", "Processors")


def all_77(data: pd.DataFrame) -> Verdict:
    """The rate with the central queue rises, then drops sharply; that with local queues does not.

    The paper's text does not state how much of the bus the work uses. So the claim holds if it
    holds with one of LOADS.
    """
    statement = (
        "with 5.0 or 2.5 % of the bus for a processor's work: R_freelist has its maximum before "
        "P=64 and falls by 20 % from there; R_local nowhere falls by over 1 %; by model and "
        "simulation"
    )
    claim = Claim("ALL-77", SOURCE, statement)
    loads = [claim.all_of(*(_drop(claim, data, load, source) for source in BOTH)) for load in LOADS]
    return _any_of(loads)


def _drop(claim: Claim, data: pd.DataFrame, load: int, source: str) -> Verdict:
    case = f"{source}, a store each {load} turns"
    rate = threads.curves(data[data["store_turns"] == load], "rate", source)
    if missing := rate.missing(STRATEGIES, PROCESSORS):
        return claim.not_run(f"{case}: {missing}")
    central, local = (rate.curve(strategy) for strategy in (FREELIST, LOCAL))
    fall = 1 - central[PROCESSORS[-1]] / max(central.values())
    steps = {f"P={q:g}": local[q] / local[p] - 1 for p, q in pairwise(local)}
    return claim.all_of(
        claim.at_least({"": fall}, FALL, note=f"{case}: fall from the maximum"),
        claim.at_least(steps, -FLAT, note=f"{case}: local queues' step to {{}}"),
    )


def _any_of(verdicts: list[Verdict]) -> Verdict:
    """The best verdict: one that holds, else one that fails; of several the largest margin."""
    order = ("holds", "fails", "not run")
    return min(verdicts, key=lambda v: (order.index(v.state), -(v.margin or 0.0)))


def all_78(data: pd.DataFrame) -> Verdict:
    """Spinners lengthen the critical section, which leads to more spinners."""
    statement = (
        "local free lists, from the maximum of R_freelist on: section and mean spinners both grow "
        "from each number of processors to the next; by model and simulation, at both loads"
    )
    claim = Claim("ALL-78", "ALL section 5", statement)
    return claim.all_of(
        *(_together(claim, data, load, source) for load in LOADS for source in BOTH)
    )


def _together(claim: Claim, data: pd.DataFrame, load: int, source: str) -> Verdict:
    case = f"{source}, a store each {load} turns"
    chosen = data[data["store_turns"] == load]
    rate, section, spinners = (
        threads.curves(chosen, quantity, source) for quantity in ("rate", "section_us", "spinners")
    )
    if missing := rate.missing([FREELIST], PROCESSORS):
        return claim.not_run(f"{case}: {missing}")
    central = rate.curve(FREELIST)
    knee = max(central, key=lambda p: central[p])
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


FIGURE = Figure(
    id="all-5.4",
    config="configs/figures/ALL/figure-5.4.toml",
    claims=(all_77, all_78),
    series=partial(threads.compared, management_us=MANAGEMENT_US),
    draw=draw,
    measure=measure,
    tidy=True,
    quick={
        "machine.processors": [1, 16],
        "guest.args.warm": 2,
        threads.AXIS: [
            ["work_threads", "local-freelist", 20000, 32, 0],
            ["work_threads", "local-readyq-random", 20000, 32, 0],
            ["null_threads", "local-freelist", 2000, 400, 0],
            ["loaded_threads", "local-freelist", 2000, 64, 11],
            ["loaded_threads", "local-readyq-random", 2000, 64, 11],
        ],
    },
    reduced={threads.AXIS: threads.rows_by_load(2000, 800, LOADS, MANAGEMENT_US, 320)},
)
