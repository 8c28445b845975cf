# SPDX-License-Identifier: MIT
"""Quiescence (ALL sections 4.3, 4.4, 5.1): what a release costs while all others wait.

P - 1 processors spin on one lock in their caches when it is released. The next holder keeps it.
settle_us is the time from the release until all remaining spinners loop in their caches again.

Claims ALL-56 to ALL-58. ALL-64 and the part of ALL-66 on quiescence are the same measurement under
other protocols.
"""

import pandas as pd
from matplotlib.axes import Axes

from symlab.claims import Claim
from symlab.curves import Curves, averaged, plot_curves
from symlab.figure import Figure, Verdict, finished
from symlab.quiescence import measure

FEW, MANY = 4, 16  # processors between which ALL-56 compares
SEVERAL = range(FEW, MANY + 1)
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
    long = done.melt(id_vars=keys, value_vars=list(VALUES), var_name="quantity")
    long["value"] = pd.to_numeric(long["value"])
    return averaged(long, [*keys, "quantity"], "value", "spread")


def draw(ax: Axes, data: pd.DataFrame) -> None:
    shown = data[(data["protocol"] == PAPERS) & (data["quantity"] == "settle_us")]
    plot_curves(ax, shown, "spinners", "value")
    ax.set_xlabel("Spinning processors")
    ax.set_ylabel("From release until all spin in their caches (µs)")


def all_56(data: pd.DataFrame) -> Verdict:
    """With read, each spinner causes more transactions per release if there are more spinners."""
    return _cascade(_growth_claim("ALL-56", "ALL sections 4.3, 5.1", ""), data, PAPERS)


def all_57(data: pd.DataFrame) -> Verdict:
    """A backoff spinner misses twice per release: on the release, and on the acquisition."""
    statement = (
        "backoff: 2.0 +- 0.3 read misses per release of each who goes on spinning, for all P = 4 "
        "to 16"
    )
    claim = Claim("ALL-57", "ALL section 4.4", statement)
    reads = _curves(data, PAPERS, "reads_per_spinner")
    spinners = [p - 1 for p in SEVERAL]
    distances = {
        f"{reads['backoff', n]:.3g} with {n} spinners": abs(reads["backoff", n] - 2.0)
        for n in spinners
        if ("backoff", n) in reads
    }
    return claim.at_most(distances, 0.3, reads.missing(["backoff"], spinners), "{}")


def all_58(data: pd.DataFrame) -> Verdict:
    """A delay after every read saves these misses but makes the handoff later."""
    statement = (
        "backoff-every against backoff: fewer read misses per release, longer from release to "
        "acquisition, for all P = 4 to 16"
    )
    claim = Claim("ALL-58", "ALL section 4.4", statement)
    reads = _curves(data, PAPERS, "reads_per_spinner")
    gap = _curves(data, PAPERS, "handover_us")
    spinners = [p - 1 for p in SEVERAL]
    there = [n for n in spinners if ("backoff", n) in reads and ("backoff-every", n) in reads]
    missing = reads.missing(["backoff", "backoff-every"], spinners)
    fewer = {n: reads.pair(less=("backoff-every", n), more=("backoff", n)) for n in there}
    later = {n: gap.pair(less=("backoff", n), more=("backoff-every", n)) for n in there}
    return claim.all_of(
        claim.ordered(fewer, missing, "misses, backoff-every over backoff, with {} spinners"),
        claim.ordered(later, missing, "hand-over, backoff over backoff-every, with {} spinners"),
    )


def all_64(data: pd.DataFrame) -> Verdict:
    """With write-back invalidation, read still has such a cascade."""
    claim = _growth_claim("ALL-64", "ALL section 4.6", "write-back: ")
    return _cascade(claim, data, "write-back")


def all_66(data: pd.DataFrame) -> Verdict:
    """Write-update becomes quiet sooner. The other parts of ALL-66 are judged in all-4.6."""
    statement = "read settles sooner under write-update than under write-through, P = 4 to 16"
    claim = Claim("ALL-66", "ALL section 4.6", statement)
    new, old = (_curves(data, protocol, "settle_us") for protocol in ("write-update", PAPERS))
    spinners = [p - 1 for p in SEVERAL]
    pairs = {
        n: (new["read", n], old["read", n], 0.0)
        for n in spinners
        if ("read", n) in new and ("read", n) in old
    }
    missing = new.missing(["read"], spinners) or old.missing(["read"], spinners)
    return claim.ordered(pairs, missing, "write-update over write-through, with {} spinners")


def _growth_claim(number: str, source: str, protocol: str) -> Claim:
    statement = f"{protocol}read: bus transactions per release and spinner rise from P=4 to P=16"
    return Claim(number, source, statement)


def _cascade(claim: Claim, data: pd.DataFrame, protocol: str) -> Verdict:
    counts = _curves(data, protocol, "transactions_per_spinner")
    few, many = ("read", FEW - 1), ("read", MANY - 1)
    if missing := counts.missing(["read"], (FEW - 1, MANY - 1)):
        return claim.not_run(missing)
    note = f"{counts[few]:.3g} over {counts[many]:.3g} transactions"
    return claim.ordered({"": counts.pair(less=few, more=many)}, note=note)


def _curves(data: pd.DataFrame, protocol: str, quantity: str) -> Curves:
    chosen = data[(data["protocol"] == protocol) & (data["quantity"] == quantity)]
    return Curves.of(chosen, "value", x="spinners", spread="spread", symbol="spinners")


FIGURE = Figure(
    id="all-quiescence",
    config="configs/figures/ALL/section-4.4-quiescence.toml",
    claims=(all_56, all_57, all_58, all_64, all_66),
    series=series,
    draw=draw,
    measure=measure,
    quick={"guest.args.rounds": 1, "machine.processors": [2, 4]},
    reduced={"guest.args.rounds": 5, "machine.processors": [4, 9, 16]},
)
