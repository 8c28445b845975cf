# SPDX-License-Identifier: MIT
"""ALL section 4.4: read misses of idle processors for each thread that is created.

One processor creates threads while all others idle. With an idle queue each idle processor polls a
flag of its own; with any other strategy idle processors poll the ready queues. The creator's free
list only empties and the other free lists only fill. This use needs the pool of the local free
lists more often than any other.
"""

from functools import partial
from pathlib import Path

import pandas as pd

from symlab.paper.claims import Claim, judges
from symlab.paper.figure import Figure, Verdict, finished
from symlab.paper.measures import by_activity
from symlab.paper.measures.differences import per_additional
from symlab.paper.names import FREELIST, IDLE, LOCAL, MULTIPLE, SINGLE
from symlab.plot.curves import Curves, Plot
from symlab.plot.failures import mark_failures
from symlab.plot.repeats import averaged
from symlab.runs.simulator import read_json

POLLING = (SINGLE, MULTIPLE, FREELIST, LOCAL)
PROCESSORS = (4, 8, 12, 16, 20)
LIST_ACCESSES = 2  # per thread: its control block is taken from a free list and returned to one
ABOUT_EQUAL = 0.1  # our reading of every "about equal" in the claims


def measure(folder: Path) -> dict[str, float]:
    """The columns of `by_activity.measure`, and pool_accesses.

    pool_accesses: acquisitions of the lock of the pool that supplies local free lists with blocks.
    """
    locks = (read_json(folder / "summary.json") or {}).get("locks") or []
    acquisitions = sum(lock["acquisitions"] for lock in locks if lock["name"] == "pool_lock")
    return by_activity.measure(folder) | {"pool_accesses": acquisitions}


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """Columns strategy, processors, misses, spread, pool_accesses.

    misses: read misses of idle processors per create. pool_accesses: accesses to the pool per
    create. Both are differences between two runs with different numbers of creates, so cold misses
    are not counted.
    """
    keys = ["strategy", "processors"]
    done = finished(runs, [*keys, "creates", "idle_reads", "pool_accesses"])
    per_create = per_additional(done, keys, "creates", ["idle_reads", "pool_accesses"])
    data = averaged(per_create.rename(columns={"idle_reads": "misses"}), keys, "misses", "spread")
    return data.merge(per_create[[*keys, "pool_accesses"]], on=keys)


MISSES = "Read misses of idle processors per create"
draw = Plot("misses", MISSES, "strategy", room=1.8, legend_columns=1)


@judges(
    "ALL-39",
    "accesses of the pool over those of local lists of blocks, two a create, at most 2/T, T = "
    "P, but for 1 % by lists begun where counting starts or ends, for all P = 4 to 20; the "
    "bound on the blocks is tested in tests/guest",
)
def all_39(claim: Claim, data: pd.DataFrame) -> Verdict:
    pool = Curves.of(data, y="pool_accesses", curve="strategy")
    accesses = pool.at(FREELIST, PROCESSORS)
    parts = {p: (count / LIST_ACCESSES) / (2 / p) for p, count in accesses.items()}
    return claim.at_most(parts, 1.01, "part of 2/T, most at P={}")


@judges(
    "ALL-60",
    "read misses of idle processors per create: <= 1 with the idle queue, with every other "
    "strategy >= 0.9 (P - 1), for all P = 4 to 20",
)
def all_60(claim: Claim, data: pd.DataFrame) -> Verdict:
    misses = _curves(data).require([IDLE, *POLLING], PROCESSORS)
    own = misses.at(IDLE, PROCESSORS)
    points = [(strategy, p) for strategy in POLLING for p in PROCESSORS]
    polled = {f"{s} at P={p:g}": misses[s, p] / (p - 1) for s, p in points}
    return claim.all_of(
        claim.at_most(own, 1.0, "misses with the idle queue, most at P={}"),
        claim.at_least(polled, 1 - ABOUT_EQUAL, "misses over P - 1, {}"),
    )


_curves = partial(Curves.of, y="misses", curve="strategy", spread="spread")

_FAILURES = partial(mark_failures, curve="strategy")
FIGURE = Figure(series, draw, (all_39, all_60), measure, tidy=True, failures=_FAILURES)
