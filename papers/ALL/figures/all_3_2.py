# SPDX-License-Identifier: MIT
"""ALL Fig. 3.2: a million null threads; R_a(P) = thousands of threads per second of strategy a.

T_a(P) is the time of all threads. Speedup is T_single(1)/T_a(P) = R_a(P)/R_single(1).
"""

import pandas as pd
from symlab.plot.figure import Verdict
from symlab_papers.claims import Claim, judges
from symlab_papers.measures.thread_rates import MANY, PROCESSORS, curves, figure
from symlab_papers.names import CENTRAL, FREELIST, IDLE, LOCAL, MULTIPLE, NULL, SINGLE, STRATEGIES

SPINNERS = 10  # with more, backoff itself degrades (ALL-46)


def _highest(claim: Claim, data: pd.DataFrame, less: str, *more: str) -> Verdict:
    """Whether the highest rate of `less` is below that of each strategy in `more`."""
    rate = curves(data, "rate").require((less, *more), PROCESSORS)
    pairs = {other: rate.ceilings(less, other) for other in more}
    return claim.ordered(pairs, note=f"ceiling of {less} over that of {{}}")


@judges("ALL-15", "max R_single is the least of the five strategies'")
def all_15(claim: Claim, data: pd.DataFrame) -> Verdict:
    return _highest(claim, data, SINGLE, *(s for s in STRATEGIES if s != SINGLE))


@judges("ALL-16", "max R_multiple > max R_single")
def all_16(claim: Claim, data: pd.DataFrame) -> Verdict:
    return _highest(claim, data, SINGLE, MULTIPLE)


@judges("ALL-17", "max R_freelist > max R_single and >= max R_multiple")
def all_17(claim: Claim, data: pd.DataFrame) -> Verdict:
    return claim.all_of(
        _highest(claim, data, SINGLE, FREELIST), _highest(claim, data, MULTIPLE, FREELIST)
    )


@judges("ALL-18", "largest speedup with local free lists 2 to 6, within 10 % of it by P <= 10")
def all_18(claim: Claim, data: pd.DataFrame) -> Verdict:
    rate = curves(data, "rate").require((SINGLE, FREELIST), PROCESSORS)
    most = rate.ceiling(FREELIST)
    soon = max(r for p, r in rate.curve(FREELIST).items() if p <= 10)
    speedup = {f"{rate.peak(FREELIST):g}": most / rate[SINGLE, 1]}
    reached = {f"{soon / most:.3g} of the largest speedup by P = 10": soon / most}
    return claim.all_of(
        claim.between(speedup, 2, 6, note="speedup at P={}"),
        claim.at_least(reached, 0.9, note="{}"),
    )


@judges("ALL-19", "max R_idle / max R_freelist from 0.75 to 1.1")
def all_19(claim: Claim, data: pd.DataFrame) -> Verdict:
    rate = curves(data, "rate").require((IDLE, FREELIST), PROCESSORS)
    return claim.between({"": rate.ceiling(IDLE) / rate.ceiling(FREELIST)}, 0.75, 1.1)


@judges("ALL-20", "R_local(18) >= 1.5 times every other strategy's")
def all_20(claim: Claim, data: pd.DataFrame) -> Verdict:
    rate = curves(data, "rate").require(STRATEGIES, [MANY])
    ratios = {s: rate[LOCAL, MANY] / rate[s, MANY] for s in CENTRAL}
    return claim.at_least(ratios, 1.5, "over {}")


@judges(
    "ALL-21",
    "R_local(18) - R_local(14) < (R_local(8) - R_local(4))/2; at P=18 lock wait < 0.1 of time "
    "and bus use > 0.8",
)
def all_21(claim: Claim, data: pd.DataFrame) -> Verdict:
    spin, bus = (curves(data, quantity) for quantity in ("spin_share", "bus_utilisation"))
    rate = curves(data, "rate")
    at = {p: rate.ranged(LOCAL, p) for p in (4, 8, 14, MANY)}
    bend = (at[8] - at[4]) * 0.5 - (at[MANY] - at[14])
    return claim.all_of(
        claim.positive({"": bend}, note="half the gain from P=4 to 8, less that from 14 to 18"),
        claim.at_most({"": spin[LOCAL, MANY]}, 0.1, note="lock wait, part of all time"),
        claim.at_least({"": bus[LOCAL, MANY]}, 0.8, note="bus use"),
    )


@judges(
    "ALL-22",
    "R_a(P) within 10 % of min(P R_a(1), max R_a) for all P further than 2 from where the two "
    "meet, up to ten spinners beyond; not for local ready queues",
)
def all_22(claim: Claim, data: pd.DataFrame) -> Verdict:
    rate = curves(data, "rate").require(CENTRAL, PROCESSORS)
    away: dict[str, float] = {}
    for strategy in CENTRAL:
        most = rate.ceiling(strategy)
        at = rate.knee(strategy, most)
        below = rate.below_bound(strategy, most)
        judged = [p for p in below if abs(p - at) > 2 and p <= at + SPINNERS]
        away |= {f"{strategy} at P={p:g}": below[p] for p in judged}
    return claim.at_most(away, 0.1, note="part of the bound missing, largest with {}")


@judges("ALL-41", "(last - first finish)/elapsed < 0.05 for all P")
def all_41(claim: Claim, data: pd.DataFrame) -> Verdict:
    spread = curves(data, "finish_spread").require(STRATEGIES, PROCESSORS)
    values = {f"{s} at P={p:g}": v for (s, p), v in spread.values.items() if s in STRATEGIES}
    return claim.at_most(values, 0.05, "largest with {}")


CLAIMS = (all_15, all_16, all_17, all_18, all_19, all_20, all_21, all_22, all_41)
FIGURE = figure(NULL, CLAIMS)
