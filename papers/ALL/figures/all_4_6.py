# SPDX-License-Identifier: MIT
"""ALL section 4.6: what of the counter under other coherence protocols is no expression."""

from itertools import combinations

import pandas as pd
from symlab.plot.curves import Curves, chosen
from symlab.plot.figure import Verdict, finished
from symlab.results.table import transactions_of
from symlab_papers.claims import Claim, judges

LOCKS = ("xchgb", "read", "backoff")
MANY = (8, 10, 12, 14, 16, 18)  # processors
ABOUT_EQUAL = 1.1  # our reading of "about equal": locks that differ by less have no order


def prepare(runs: pd.DataFrame, columns: list[str]) -> pd.DataFrame:
    """The finished runs, with all_spin: transactions of all kinds by waiters."""
    done = finished(runs, [name for name in columns if name != "all_spin"])
    return done.assign(all_spin=transactions_of(done, "spin"))


@judges("ALL-63")
def all_63(claim: Claim, data: pd.DataFrame) -> Verdict:
    seconds = [_seconds(data, name) for name in ("write-through", "write-back")]
    through, back = (time.require(LOCKS, MANY) for time in seconds)
    pairs = {}
    for p in MANY:
        fastest_first = sorted(LOCKS, key=lambda m: through[m, p])
        for less, more in combinations(fastest_first, 2):
            if through[more, p] <= ABOUT_EQUAL * through[less, p]:
                continue
            pairs[f"{less} over {more} at P={p}"] = back.pair(less=(less, p), more=(more, p))
    return claim.ordered(pairs, "with write-back, C of {}")


def _seconds(data: pd.DataFrame, protocol: str) -> Curves:
    rows = chosen(data, protocol=protocol, quantity="seconds")
    return Curves.of(rows, "value", symbol=f"{protocol} P")
