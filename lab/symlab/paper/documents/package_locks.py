# SPDX-License-Identifier: MIT
"""What the page on thread management quotes of the package with other locks than the paper's.

The tables are those that `symlab run` writes; the page has the commands.
"""

from symlab.paper.documents.data import Data, percent
from symlab.paper.markdown import table
from symlab.paper.measures.thread_rates import curves
from symlab.paper.names import NULL, SINGLE

LOCKS = {
    "backoff": "backoff, the paper's",
    "backoff-every": "backoff after every read",
    "xchgb": "TAS",
    "read": "TTAS",
    "ticket": "ticket",
    "array-xadd": "array queue with xadd",
    "mcs": "MCS",
}
SEVERAL, MANY = 6, 18  # processors


def free_list_locks(data: Data) -> list[str]:
    """ALL-18: the speedup of local free lists with each lock, over the single lock's P = 1."""
    runs = data.csv("locks/free-list-locks")
    base = curves(data.csv("ALL/figure-3.2"), "rate", NULL)[SINGLE, 1]
    rows = []
    for lock, title in LOCKS.items():
        of = runs[runs["lock"] == lock].set_index("processors")
        rates = 1000 * of["threads"] / of["elapsed_us"]
        at = int(rates.idxmax())
        run = of.loc[SEVERAL]
        held_us = run["lock_hold_us"] / run["lock_acquisitions"]
        # From a release to the next acquisition; each thread acquires the lock twice.
        rest_us = run["elapsed_us"] / (2 * run["threads"]) - held_us
        rows.append((title, f"{rates[at] / base:.2f}", f"P = {at}", f"{rest_us:.1f} us"))
    head = ("Lock", "Speedup", "At", f"From release to acquisition, {SEVERAL} processors")
    return table(head, rows)


def numbers(data: Data) -> dict[str, str]:
    """ALL-21: the share of lock waits with local ready queues and other locks."""
    runs = data.csv("locks/ready-queue-locks")
    of = runs[runs["processors"] == MANY].set_index("lock")
    waits = of["spin_us"] / of["simulated_us"] / MANY
    return {f"local-waits-{lock}": percent(waits[lock]) for lock in ("read", "mcs", "ticket")}
