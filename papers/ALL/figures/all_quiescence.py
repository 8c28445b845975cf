# SPDX-License-Identifier: MIT
"""Quiescence (ALL sections 4.3, 4.4, 5.1): the cost of a release while all others wait.

P - 1 processors spin on one lock in their caches when it is released. The next holder keeps it.
settle_us is the time from the release until all remaining spinners loop in their caches again.

ALL-64 and the part of ALL-66 on quiescence are the same measurement under other protocols.
"""

from itertools import pairwise

import pandas as pd
from symlab.plot.curves import Curves, Plot, chosen
from symlab.plot.figure import Figure, Verdict, finished
from symlab.plot.repeats import averaged_quantities
from symlab_papers.claims import Claim, judges
from symlab_papers.measures.quiescence import measure

FEW, MANY = 4, 16  # processors between which ALL-57 and ALL-58 compare
RISING = (4, 8, 12, 16, 20)  # processors, of which each has more in ALL-56 and ALL-64
RISE = 0.1  # of the transactions per spinner from 8 to 20 processors; a smaller rise saturates
SPINNERS = range(FEW - 1, MANY)  # all but the one that releases the lock
PAPERS = "write-through"  # the protocol of the paper's machine
VALUES = ("settle_us", "transactions_per_spinner", "reads_per_spinner", "handover_us")


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """Tidy data, sorted: protocol, lock, spinners, quantity (one of VALUES), value, spread.

    transactions_per_spinner: bus transactions per release and spinner. reads_per_spinner: read
    misses per release of each processor that continues to spin; it excludes the next holder, which
    misses once, and is missing with a single spinner. handover_us: time from the release until the
    next holder has the lock.
    """
    columns = ["processors", "lock", "protocol", "rounds", "handover_us", "release_transactions"]
    done = finished(runs, [*columns, "settle_us", "release_reads"]).copy()
    done["spinners"] = done["processors"] - 1
    done["transactions_per_spinner"] = done["release_transactions"] / done["spinners"]
    staying = done["spinners"].where(done["spinners"] > 1) - 1
    done["reads_per_spinner"] = (done["release_reads"] - 1) / staying
    done["handover_us"] = done["handover_us"] / done["rounds"]
    keys = ["protocol", "lock", "spinners"]
    return averaged_quantities(done, keys, VALUES)


draw = Plot(
    "value",
    "From release until all spin in their caches (µs)",
    x="spinners",
    x_label="Spinning processors",
    where={"protocol": PAPERS, "quantity": "settle_us"},
)


@judges(
    "ALL-56",
    "read: bus transactions per release and spinner rise from each of P = 4, 8, 12, 16, 20 to the "
    "next, and by at least 10 % from 8 to 20",
)
def all_56(claim: Claim, data: pd.DataFrame) -> Verdict:
    return _cascade(claim, data, PAPERS)


@judges(
    "ALL-57",
    "one release, backoff: 2.0 +- 0.3 read misses of each remaining spinner, for all P = 4 to 16",
)
def all_57(claim: Claim, data: pd.DataFrame) -> Verdict:
    reads = _curves(data, PAPERS, "reads_per_spinner")
    distances = {
        f"{reads['backoff', n]:.3g} read misses after one release with {n} spinners": (
            abs(reads["backoff", n] - 2.0)
        )
        for n in SPINNERS
    }
    return claim.at_most(distances, 0.3, "{}")


@judges(
    "ALL-58",
    "backoff-every against backoff: fewer read misses per release, longer from release to "
    "acquisition, for all P = 4 to 16",
)
def all_58(claim: Claim, data: pd.DataFrame) -> Verdict:
    reads, gap = (_curves(data, PAPERS, name) for name in ("reads_per_spinner", "handover_us"))
    reads.require(["backoff", "backoff-every"], SPINNERS)
    fewer = reads.ordered("backoff-every", "backoff", SPINNERS)
    later = gap.ordered("backoff", "backoff-every", SPINNERS)
    return claim.all_of(
        claim.ordered(fewer, "misses, backoff-every over backoff, with {} spinners"),
        claim.ordered(later, "handoff, backoff over backoff-every, with {} spinners"),
    )


@judges(
    "ALL-64",
    "write-back: read: bus transactions per release and spinner rise from each of P = 4, 8, 12, "
    "16, 20 to the next, and by at least 10 % from 8 to 20",
)
def all_64(claim: Claim, data: pd.DataFrame) -> Verdict:
    return _cascade(claim, data, "write-back")


@judges("ALL-66", "read settles sooner under write-update than under write-through, P = 4 to 16")
def all_66(claim: Claim, data: pd.DataFrame) -> Verdict:
    settle_us = [_curves(data, protocol, "settle_us") for protocol in ("write-update", PAPERS)]
    new, old = (of.require(["read"], SPINNERS) for of in settle_us)
    pairs = {n: (new.ranged("read", n), old.ranged("read", n)) for n in SPINNERS}
    return claim.ordered(pairs, "write-update over write-through, with {} spinners")


def _cascade(claim: Claim, data: pd.DataFrame, protocol: str) -> Verdict:
    counts = _curves(data, protocol, "transactions_per_spinner")
    counts.require(["read"], [p - 1 for p in RISING])
    pairs = {
        f"{counts['read', p - 1]:.3g} at P={p} over {counts['read', q - 1]:.3g} at P={q}": (
            counts.pair(less=("read", p - 1), more=("read", q - 1))
        )
        for p, q in pairwise(RISING)
    }
    rise = counts["read", RISING[-1] - 1] / counts["read", RISING[1] - 1] - 1
    return claim.all_of(
        claim.ordered(pairs, note="transactions, {}"),
        claim.at_least({"": rise}, RISE, note="rise from P=8 to 20"),
    )


def _curves(data: pd.DataFrame, protocol: str, quantity: str) -> Curves:
    rows = chosen(data, protocol=protocol, quantity=quantity)
    return Curves.of(rows, "value", "spinners", symbol="spinners")


FIGURE = Figure(series, draw, (all_56, all_57, all_58, all_64, all_66), measure)
