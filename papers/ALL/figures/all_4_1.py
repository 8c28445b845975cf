# SPDX-License-Identifier: MIT
"""ALL Fig. 4.1: elapsed time for a million increments of one counter under a spin lock.

T. E. Anderson, E. D. Lazowska, H. M. Levy, "The Performance Implications of Thread Management
Alternatives for Shared-Memory Multiprocessors", 1989. All P processors loop: lock, add 1 and
test, unlock, until the counter is at 10^6. C_m(P) is the time in seconds with lock m.

"All P" means every P from 1 to 20, since the paper's machine has 20 processors.
"""

import numpy as np
import pandas as pd
from symlab.plot.curves import Curves, Plot
from symlab.plot.figure import Figure, Verdict, finished
from symlab.plot.repeats import averaged
from symlab_papers.claims import Claim, judges
from symlab_papers.measures.fits import two_line_fit

PROCESSORS = 20  # the paper's Symmetry has 20


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """One row per lock and P, sorted: processors, lock, seconds, spread_s, misses.

    `runs` needs the columns processors, lock, elapsed_us, increments, status. seconds: time for
    10^6 increments. It equals elapsed_us / increments, since 1 us per increment is 1 s per 10^6.
    misses: read misses of the waiters per increment and spinner, that is per other processor; NaN
    without the column spin_read_transactions, and with one processor.
    """
    done = finished(runs, ["processors", "lock", "elapsed_us", "increments"]).copy()
    increments = pd.to_numeric(done["increments"])
    done["seconds"] = pd.to_numeric(done["elapsed_us"]) / increments
    spinners = (done["processors"] - 1).where(done["processors"] > 1)
    done["misses"] = done.get("spin_read_transactions", np.nan) / increments / spinners
    data = averaged(done, ["lock", "processors"], "seconds", "spread_s", ["misses"])
    return data[["processors", "lock", "seconds", "spread_s", "misses"]]


draw = Plot("seconds", "Elapsed time (s) for 1,000,000 increments", most=PROCESSORS)


@judges("ALL-43", "C(20)/C(1) >= 2 for xchgb and read")
def all_43(claim: Claim, data: pd.DataFrame) -> Verdict:
    return _least_growth(claim, data, 20, 2.0)


@judges("ALL-44", "C(8)/C(1) >= 1.3 for xchgb and read")
def all_44(claim: Claim, data: pd.DataFrame) -> Verdict:
    return _least_growth(claim, data, 8, 1.3)


@judges("ALL-45", "C_backoff(P)/C_backoff(1) <= 1.25 for all P <= 10")
def all_45(claim: Claim, data: pd.DataFrame) -> Verdict:
    time = draw.curves(data).require(["backoff"], range(1, 11))
    curve = time.curve("backoff")
    ratios = {f"{p:g}": s / curve[1] for p, s in curve.items() if 2 <= p <= 10 and 1 in curve}
    return claim.at_most(ratios, 1.25, "largest at P={}")


@judges("ALL-46", "C_backoff(20) > C_backoff(10)")
def all_46(claim: Claim, data: pd.DataFrame) -> Verdict:
    time = draw.curves(data).require(["backoff"], (10, 20))
    pair = time.pair(less=("backoff", 10), more=("backoff", 20))
    return claim.ordered({"": pair}, note="C_backoff(10) over C_backoff(20)")


@judges("ALL-47", "two-line fit of C_backoff: first slope <= 1/4 of second, breakpoint 8 to 14")
def all_47(claim: Claim, data: pd.DataFrame) -> Verdict:
    time = draw.curves(data)
    curve = time.at("backoff", range(1, PROCESSORS + 1))
    at, first, second = two_line_fit(np.array([*curve], dtype=float), np.array([*curve.values()]))
    note = f"slopes {first:.3g} and {second:.3g} s per processor, breakpoint {at:.2f}"
    if second <= 0:
        return claim.judged(False, None, 0.25, None, note)
    return claim.all_of(
        claim.at_most({"": first / second}, 0.25, note),
        claim.between({"": at}, 8, 14, f"breakpoint; {note}"),
    )


@judges("ALL-48", "C_backoff(P) < min(C_xchgb(P), C_read(P)) for all P >= 10")
def all_48(claim: Claim, data: pd.DataFrame) -> Verdict:
    rivals, many = ("xchgb", "read"), range(10, PROCESSORS + 1)
    time = draw.curves(data).require([*rivals, "backoff"], many)
    pairs = {
        f"{rival}, largest at P={p}": time.pair(less=("backoff", p), more=(rival, p))
        for p in many
        for rival in rivals
    }
    return claim.ordered(pairs, "C_backoff over {}")


@judges(
    "ALL-57",
    "Figure 4.1's runs, backoff: 2.0 +- 0.3 read misses per spinner and section, P = 4 to 16",
)
def all_57(claim: Claim, data: pd.DataFrame) -> Verdict:
    misses = Curves.of(data, "misses", symbol="P, column spin_read_transactions at P")
    distances = {
        f"{misses['backoff', p]:.3g} read misses per spinner and section in Figure 4.1 at P={p}": (
            abs(misses["backoff", p] - 2.0)
        )
        for p in range(4, 17)
    }
    return claim.at_most(distances, 0.3, "{}")


def _least_growth(claim: Claim, data: pd.DataFrame, processors: int, bound: float) -> Verdict:
    locks = ("xchgb", "read")
    time = draw.curves(data).require(locks, (1, processors))
    ratios = {lock: time[lock, processors] / time[lock, 1] for lock in locks}
    return claim.at_least(ratios, bound, "smaller of the two: {}")


FIGURE = Figure(
    series, draw, (all_43, all_44, all_45, all_46, all_47, all_48, all_57), failures=draw.failures
)
