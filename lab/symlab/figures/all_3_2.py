# SPDX-License-Identifier: MIT
"""ALL Fig. 3.2: a million null threads; R_a(P) = thousands of threads per second of strategy a.

T_a(P) is the time of all threads. Speedup is T_single(1)/T_a(P) = R_a(P)/R_single(1).

Claims ALL-15 to ALL-22, ALL-41.
"""

from functools import partial

import pandas as pd

from symlab import thread_rates
from symlab.claims import Claim
from symlab.figure import Figure, Verdict
from symlab.thread_rates import (
    CENTRAL,
    FREELIST,
    IDLE,
    LOCAL,
    MANY,
    MULTIPLE,
    PROCESSORS,
    SINGLE,
    STRATEGIES,
    below_bound,
    ceiling,
    ceilings,
    curves,
    knee,
)

SOURCE = "ALL Fig 3.2"


def _highest(claim: Claim, data: pd.DataFrame, less: str, *more: str) -> Verdict:
    """Whether the highest rate of `less` is below that of each strategy in `more`."""
    rate = curves(data, "rate")
    if missing := rate.missing((less, *more), PROCESSORS):
        return claim.not_run(missing)
    pairs = {other: ceilings(rate, less, other) for other in more}
    return claim.ordered(pairs, note=f"ceiling of {less} over that of {{}}")


def all_15(data: pd.DataFrame) -> Verdict:
    """A single lock saturates first, since most of its path is serial."""
    claim = Claim("ALL-15", SOURCE, "max R_single is the least of the five strategies'")
    return _highest(claim, data, SINGLE, *(s for s in STRATEGIES if s != SINGLE))


def all_16(data: pd.DataFrame) -> Verdict:
    """One lock per structure allows more concurrency than a single lock."""
    claim = Claim("ALL-16", "ALL section 3.2", "max R_multiple > max R_single")
    return _highest(claim, data, SINGLE, MULTIPLE)


def all_17(data: pd.DataFrame) -> Verdict:
    """Local free lists have a higher throughput than central free lists."""
    statement = "max R_freelist > max R_single and >= max R_multiple"
    claim = Claim("ALL-17", "ALL section 3.3", statement)
    rate = curves(data, "rate")
    if missing := rate.missing((SINGLE, MULTIPLE, FREELIST), PROCESSORS):
        return claim.not_run(missing)
    ratio = ceiling(rate, FREELIST) / ceiling(rate, MULTIPLE)
    note = f"ceiling of {FREELIST} over that of {MULTIPLE}"
    return claim.all_of(
        _highest(claim, data, SINGLE, FREELIST), claim.at_least({"": ratio}, 1.0, note=note)
    )


def all_18(data: pd.DataFrame) -> Verdict:
    """With local free lists the ready queue's lock allows a few concurrent operations."""
    statement = "largest speedup with local free lists 2 to 6, within 10 % of it by P <= 10"
    claim = Claim("ALL-18", "ALL section 3.6", statement)
    rate = curves(data, "rate")
    if missing := rate.missing((SINGLE, FREELIST), PROCESSORS):
        return claim.not_run(missing)
    rates = rate.curve(FREELIST)
    most = ceiling(rate, FREELIST)
    soon = max(r for p, r in rates.items() if p <= 10)
    where = min(p for p, r in rates.items() if r == most)
    speedup = {f"{where:g}": most / rate[SINGLE, 1]}
    reached = {f"{soon / most:.3g} of the largest speedup by P = 10": soon / most}
    return claim.all_of(
        claim.between(speedup, 2, 6, note="speedup at P={}"),
        claim.at_least(reached, 0.9, note="{}"),
    )


def all_19(data: pd.DataFrame) -> Verdict:
    """An idle queue does not change the highest rate."""
    claim = Claim("ALL-19", "ALL section 3.4", "max R_idle / max R_freelist from 0.75 to 1.1")
    rate = curves(data, "rate")
    if missing := rate.missing((IDLE, FREELIST), PROCESSORS):
        return claim.not_run(missing)
    return claim.between({"": ceiling(rate, IDLE) / ceiling(rate, FREELIST)}, 0.75, 1.1)


def all_20(data: pd.DataFrame) -> Verdict:
    """Only local ready queues reach high rates."""
    claim = Claim("ALL-20", SOURCE, "R_local(18) >= 1.5 times every other strategy's")
    rate = curves(data, "rate")
    ratios = {
        s: rate[LOCAL, MANY] / rate[s, MANY]
        for s in CENTRAL
        if {(LOCAL, MANY), (s, MANY)} <= rate.values.keys()
    }
    return claim.at_least(ratios, 1.5, rate.missing(STRATEGIES, [MANY]), "over {}")


def all_21(data: pd.DataFrame) -> Verdict:
    """Local ready queues level off although their locks are nearly idle; the bus is the limit."""
    statement = (
        "R_local(18) - R_local(14) < (R_local(8) - R_local(4))/2; at P=18 lock wait < 0.1 of time "
        "and bus use > 0.8"
    )
    claim = Claim("ALL-21", SOURCE, statement)
    rate, spin, bus = (curves(data, q) for q in ("rate", "spin_share", "bus_utilisation"))
    if missing := rate.missing([LOCAL], (4, 8, 14, MANY)):
        return claim.not_run(missing)
    late = rate[LOCAL, MANY] - rate[LOCAL, 14]
    early = rate[LOCAL, 8] - rate[LOCAL, 4]
    bend = {"gain from P=14 to 18 over that from 4 to 8": late / early}
    return claim.all_of(
        claim.at_most(bend, 0.5, note="{}"),
        claim.at_most({"": spin[LOCAL, MANY]}, 0.1, note="lock wait, part of all time"),
        claim.at_least({"": bus[LOCAL, MANY]}, 0.8, note="bus use"),
    )


def all_22(data: pd.DataFrame) -> Verdict:
    """The curves are close to optimistic asymptotic bounds, with a sharp knee."""
    statement = (
        "R_a(P) within 10 % of min(P R_a(1), max R_a) for all P further than 2 from where the two "
        "meet; not for local ready queues"
    )
    claim = Claim("ALL-22", "ALL section 5.2", statement)
    rate = curves(data, "rate")
    if missing := rate.missing(CENTRAL, PROCESSORS):
        return claim.not_run(missing)
    away = {}
    for strategy in CENTRAL:
        most = ceiling(rate, strategy)
        at = knee(rate, strategy, most)
        below = below_bound(rate, strategy, most)
        away |= {f"{strategy} at P={p:g}": b for p, b in below.items() if abs(p - at) > 2}
    return claim.at_most(away, 0.1, note="part of the bound missing, largest with {}")


def all_41(data: pd.DataFrame) -> Verdict:
    """All processors finish at about the same time."""
    claim = Claim("ALL-41", "ALL section 3.6", "(last - first finish)/elapsed < 0.05 for all P")
    spread = curves(data, "finish_spread")
    values = {f"{s} at P={p:g}": v for (s, p), v in spread.values.items() if s in STRATEGIES}
    missing = spread.missing(STRATEGIES, PROCESSORS)
    return claim.at_most(values, 0.05, missing, "largest with {}")


FIGURE = Figure(
    id="all-3.2",
    config="configs/figures/ALL/figure-3.2.toml",
    claims=(all_15, all_16, all_17, all_18, all_19, all_20, all_21, all_22, all_41),
    series=thread_rates.rates,
    draw=partial(thread_rates.draw, program=thread_rates.NULL),
    tidy=True,
    quick={"guest.args.threads": 400, "machine.processors": [1, 4, 18]},
    reduced={
        "guest.args.threads": 2000,
        "guest.args.strategy": list(STRATEGIES),
    },
)
