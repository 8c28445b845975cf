# SPDX-License-Identifier: MIT
"""Fairness of locks (ALL section 4.4): who is served, those who have waited long or newcomers.

earlier_share: of the processors that wait while another is served, the part that had arrived before
the one served. It is 1/2 for a random choice and 0 for first come first served. Above 1/2,
processors that have waited long are served worse than newcomers. max_over_mean: the longest wait
divided by the mean wait.

Claims ALL-59 and ALL-69.
"""

from functools import partial

import pandas as pd
from matplotlib.axes import Axes

from symlab.claims import Claim
from symlab.curves import Curves, averaged, plot_curves
from symlab.figure import Figure, Verdict, finished

PROCESSORS = (8, 12, 16, 20)
QUEUE = "array-xadd"
RANDOM = 0.5  # earlier_share of a random choice
TOLERANCE = 0.05  # a tenth of RANDOM, our reading of "about equal"
QUANTITIES = ("earlier_share", "max_over_mean", "locked_per_section")


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """Tidy data, sorted: processors, lock, quantity, value, spread.

    Quantities: earlier_share and max_over_mean, see above. locked_per_section is the number of
    locked transactions by the lock's owner per section, including the release.
    """
    columns = ["processors", "lock", "waiting", "earlier", "critical_locked_read_transactions"]
    waits = ["lock_acquisitions", "lock_wait_us", "lock_max_wait_us"]
    done = finished(runs, [*columns, *waits]).copy()
    done["earlier_share"] = done["earlier"] / done["waiting"]
    mean_us = done["lock_wait_us"] / done["lock_acquisitions"]
    done["max_over_mean"] = done["lock_max_wait_us"] / mean_us
    locked = done["critical_locked_read_transactions"]
    done["locked_per_section"] = locked / done["lock_acquisitions"]
    keys = ["lock", "processors"]
    long = done.melt(id_vars=keys, value_vars=list(QUANTITIES), var_name="quantity")
    return averaged(long, [*keys, "quantity"], "value", "spread")


def draw(ax: Axes, data: pd.DataFrame) -> None:
    plot_curves(ax, data[data["quantity"] == "earlier_share"], "processors", "value")
    ax.axhline(RANDOM, color="0.7", linewidth=0.8, zorder=0)
    ax.set_xlabel("Processors")
    ax.set_ylabel("Share of waiters older than the one served")
    ax.set_ylim(0, 1.2)  # room for the legend


def all_59(data: pd.DataFrame) -> Verdict:
    """backoff disadvantages processors that have waited long; xchgb and read choose evenly."""
    statement = (
        "of the waiters, those who came earlier than the one served: >= 0.55 with backoff, "
        "0.5 +- 0.05 with xchgb and read; max/mean wait larger with backoff"
    )
    claim = Claim("ALL-59", "ALL section 4.4", statement)
    share, longest = _curves(data, "earlier_share"), _curves(data, "max_over_mean")
    even = ("xchgb", "read")
    missing = share.missing(["backoff", *even], PROCESSORS)
    there = [p for p in PROCESSORS if ("backoff", p) in share]
    backoff = {p: share["backoff", p] for p in there}
    distances = {
        f"{lock} at P={p}, share {share[lock, p]:.3g}": abs(share[lock, p] - RANDOM)
        for lock in even
        for p in PROCESSORS
        if (lock, p) in share
    }
    pairs = {
        f"{lock} at P={p}": longest.pair(less=(lock, p), more=("backoff", p))
        for lock in even
        for p in there
        if (lock, p) in longest
    }
    return claim.all_of(
        claim.at_least(backoff, RANDOM + TOLERANCE, missing, "backoff at P={}"),
        claim.at_most(distances, TOLERANCE, missing, "{}"),
        claim.ordered(pairs, missing, "max/mean wait over that of backoff: {}"),
    )


def all_69(data: pd.DataFrame) -> Verdict:
    """The array queue is first come first served, and its handoff needs no atomic operation.

    The guest records the arrival of a processor just before the processor draws its number. ALL
    Table 4.1 assumes an atomic read-and-increment for drawing, as in `array-xadd`. The lock `array`
    instead draws numbers under a small lock with backoff, for which arriving processors compete.
    """
    statement = (
        f"{QUEUE}: at most 0.05 of the waiters came before the one served; no locked "
        "transaction by the one who has the lock, its release included"
    )
    claim = Claim("ALL-69", "ALL Table 4.1", statement)
    share, locked = _curves(data, "earlier_share"), _curves(data, "locked_per_section")
    missing = share.missing([QUEUE], PROCESSORS)
    shares = {f"{p:g}": value for p, value in share.curve(QUEUE).items()}
    atomics = {f"{p:g}": value for p, value in locked.curve(QUEUE).items()}
    return claim.all_of(
        claim.at_most(shares, TOLERANCE, missing, "share that came before, at P={}"),
        claim.at_most(atomics, 0.0, missing, "locked transactions per section, at P={}"),
    )


def _curves(data: pd.DataFrame, quantity: str) -> Curves:
    return _of(data[data["quantity"] == quantity])


_of = partial(Curves.of, y="value", spread="spread")

FIGURE = Figure(
    id="all-fairness",
    config="configs/figures/ALL/section-4.4-fairness.toml",
    claims=(all_59, all_69),
    series=series,
    draw=draw,
    quick={"guest.args.turns": 10, "machine.processors": [8], "run.seed": 1},
)
