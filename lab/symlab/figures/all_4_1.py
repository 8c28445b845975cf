# SPDX-License-Identifier: MIT
"""ALL Fig. 4.1: elapsed time for a million increments of one counter under a spin lock.

T. E. Anderson, E. D. Lazowska, H. M. Levy, "The Performance Implications of Thread Management
Alternatives for Shared-Memory Multiprocessors", 1989. All P processors loop: lock, add 1 and
test, unlock, until the counter is at 10^6. C_m(P) is the time in seconds with lock m.

Claims ALL-43 to ALL-48. "All P" means every P from 1 to 20, since the paper's machine has 20
processors.
"""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from symlab.claims import Claim
from symlab.curves import Curves, averaged, plot_curves
from symlab.figure import Figure, Verdict, finished
from symlab.fits import two_line_fit

PROCESSORS = 20  # the paper's Symmetry has 20
SOURCE = "ALL Fig 4.1"


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """One row per lock and P, sorted: processors, lock, seconds, spread_s.

    `runs` needs the columns processors, lock, elapsed_us, increments, status. seconds: time for
    10^6 increments. It equals elapsed_us / increments, since 1 us per increment is 1 s per 10^6.
    """
    done = finished(runs, ["processors", "lock", "elapsed_us", "increments"])
    seconds = pd.to_numeric(done["elapsed_us"]) / pd.to_numeric(done["increments"])
    data = averaged(done.assign(seconds=seconds), ["lock", "processors"], "seconds", "spread_s")
    return data[["processors", "lock", "seconds", "spread_s"]]


def draw(ax: Axes, data: pd.DataFrame) -> None:
    """Plots one curve per lock over the number of processors, as in the paper."""
    plot_curves(ax, data, "processors", "seconds")
    ax.set_xlabel("Processors")
    ax.set_ylabel("Elapsed time (s) for 1,000,000 increments")
    ax.set_xlim(0, PROCESSORS + 0.5)
    ax.set_xticks(range(0, PROCESSORS + 1, 2))


def all_43(data: pd.DataFrame) -> Verdict:
    """The times of both xchgb and read at least double from 1 to 20 processors."""
    claim = Claim("ALL-43", SOURCE, "C(20)/C(1) >= 2 for xchgb and read")
    return _least_growth(claim, _times(data), 20, 2.0)


def all_44(data: pd.DataFrame) -> Verdict:
    """Both xchgb and read degrade badly with only eight processors."""
    claim = Claim("ALL-44", SOURCE, "C(8)/C(1) >= 1.3 for xchgb and read")
    return _least_growth(claim, _times(data), 8, 1.3)


def all_45(data: pd.DataFrame) -> Verdict:
    """Backoff degrades only slightly with fewer than ten spinners."""
    claim = Claim("ALL-45", SOURCE, "C_backoff(P)/C_backoff(1) <= 1.25 for all P <= 10")
    time = _times(data)
    missing = time.missing(["backoff"], range(1, 11))
    curve = time.curve("backoff")
    ratios = {f"{p:g}": s / curve[1] for p, s in curve.items() if 2 <= p <= 10 and 1 in curve}
    return claim.at_most(ratios, 1.25, missing, "largest at P={}")


def all_46(data: pd.DataFrame) -> Verdict:
    """Backoff still degrades with many spinners."""
    claim = Claim("ALL-46", SOURCE, "C_backoff(20) > C_backoff(10)")
    time = _times(data)
    if missing := time.missing(["backoff"], (10, 20)):
        return claim.not_run(missing)
    pairs = {"": time.pair(less=("backoff", 10), more=("backoff", 20))}
    return claim.ordered(pairs, note="C_backoff(10) over C_backoff(20)")


def all_47(data: pd.DataFrame) -> Verdict:
    """The curve of backoff is flat first and then rises linearly."""
    statement = "two-line fit of C_backoff: first slope <= 1/4 of second, breakpoint 8 to 14"
    claim = Claim("ALL-47", SOURCE, statement)
    time = _times(data)
    everywhere = range(1, PROCESSORS + 1)
    if missing := time.missing(["backoff"], everywhere):
        return claim.not_run(missing)
    x = np.array(everywhere, dtype=float)
    y = np.array([time["backoff", p] for p in everywhere])
    at, first, second = two_line_fit(x, y)
    note = f"slopes {first:.3g} and {second:.3g} s per processor, breakpoint {at:.2f}"
    if second <= 0:
        return claim.judged(False, None, 0.25, None, note)
    value = first / second
    return claim.judged(value <= 0.25 and 8 <= at <= 14, value, 0.25, 0.25 - value, note)


def all_48(data: pd.DataFrame) -> Verdict:
    """Backoff is the fastest of the three with several spinners."""
    claim = Claim("ALL-48", SOURCE, "C_backoff(P) < min(C_xchgb(P), C_read(P)) for all P >= 10")
    time = _times(data)
    many = range(10, PROCESSORS + 1)
    pairs = {
        f"{rival}, largest at P={p}": time.pair(less=("backoff", p), more=(rival, p))
        for p in many
        for rival in ("xchgb", "read")
        if ("backoff", p) in time and (rival, p) in time
    }
    missing = time.missing(["xchgb", "read", "backoff"], many)
    return claim.ordered(pairs, missing, "C_backoff over {}")


def _times(data: pd.DataFrame) -> Curves:
    return Curves.of(data, "seconds", spread="spread_s")


def _least_growth(claim: Claim, time: Curves, processors: int, bound: float) -> Verdict:
    locks = ("xchgb", "read")
    missing = time.missing(locks, (1, processors))
    ratios = {
        lock: time[lock, processors] / time[lock, 1]
        for lock in locks
        if (lock, processors) in time and (lock, 1) in time
    }
    return claim.at_least(ratios, bound, missing, "smaller of the two: {}")


FIGURE = Figure(
    id="all-4.1",
    config="configs/figures/ALL/figure-4.1.toml",
    claims=(all_43, all_44, all_45, all_46, all_47, all_48),
    series=series,
    draw=draw,
    quick={"guest.args.increments": 400, "machine.processors": [1, 8, 20]},
    reduced={"guest.args.increments": 2000},
)
