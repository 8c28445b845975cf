# SPDX-License-Identifier: MIT
"""What the page on thread management quotes of the package with other locks than the paper's.

The table is one that `symlab run` writes; the page has the command.
"""

from symlab_papers.documents.data import Data, grid, named, percent, significant

LOCKS = {
    "backoff": "backoff, the paper's",
    "read": "TTAS",
    "ticket": "ticket",
    "array": "array queue",
    "mcs": "MCS",
}
FEW, MANY = 5, 20  # processors


def free_list_locks(data: Data) -> list[str]:
    """ALL-22 and ALL-41: what becomes of the throughput, and how evenly processors finish."""
    runs = data.csv("locks/free-list-locks").set_index(["lock", "processors"])
    rate = 1000 * runs["threads"] / runs["elapsed_us"]
    early = 1 - runs["first_us"] / runs["elapsed_us"]
    rows = {
        f"1000 threads per second, {FEW} processors": lambda lock: significant(rate[lock, FEW]),
        f"the same, {MANY} processors": lambda lock: significant(rate[lock, MANY]),
        f"the last finishes after the first by, {FEW} processors": lambda lock: (
            f"{percent(early[lock, FEW], 2)} %"
        ),
    }
    return grid("Lock of the package", named(rows), LOCKS, lambda row, lock: rows[row](lock))
