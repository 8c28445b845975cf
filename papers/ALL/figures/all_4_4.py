# SPDX-License-Identifier: MIT
"""ALL section 4.4: read misses of idle processors for each thread that is created.

One processor creates threads while all others idle. With an idle queue each idle processor polls a
flag of its own; with any other strategy idle processors poll the ready queues. The creator's free
list only empties and the other free lists only fill. This use needs the pool of the local free
lists more often than any other.

For ALL-39 a list is a processor's accesses from one of its accesses to the pool to the next. A list
counts if both of these lie in the run. Only the image of local free lists counts them.
"""

import pandas as pd
from symlab.errors import NotRun
from symlab.plot.curves import Curves, Plot
from symlab.plot.figure import Figure, Verdict, finished
from symlab.plot.repeats import averaged
from symlab.runs.one_run import Run
from symlab_papers.claims import Claim, judges
from symlab_papers.expressions import claims
from symlab_papers.measures import by_activity
from symlab_papers.measures.differences import per_additional
from symlab_papers.names import FREELIST, LOCAL, MULTIPLE, SINGLE

POLLING = (SINGLE, MULTIPLE, FREELIST, LOCAL)
PROCESSORS = (4, 8, 12, 16, 20)
LISTS = ["whole_lists", "list_accesses"]  # results of the guest


def measure(run: Run) -> dict[str, float]:
    """The columns of `by_activity.measure`, and pool_accesses.

    pool_accesses: acquisitions of the lock of the pool that supplies local free lists with blocks.
    """
    acquisitions = (lock["acquisitions"] for lock in run["locks"] if lock["name"] == "pool_lock")
    return by_activity.measure(run) | {"pool_accesses": sum(acquisitions)}


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """Columns strategy, processors, misses, spread, pool_accesses, and LISTS if the runs have them.

    misses: read misses of idle processors per create. pool_accesses: accesses to the pool per
    create. Both are differences between two runs with different numbers of creates, so cold misses
    are not counted. whole_lists: lists of the longer run that count; list_accesses: accesses of
    local lists in them; no values where the image does not count them.
    """
    keys = ["strategy", "processors"]
    done = finished(runs, [*keys, "creates", "idle_reads", "pool_accesses"])
    per_create = per_additional(done, keys, "creates", ["idle_reads", "pool_accesses"])
    data = averaged(per_create.rename(columns={"idle_reads": "misses"}), keys, "misses", "spread")
    data = data.merge(per_create[[*keys, "pool_accesses"]], on=keys)
    if not set(LISTS) <= set(done):
        return data
    longest = done.sort_values("creates").drop_duplicates(keys, keep="last")
    counts = longest[keys].assign(**{of: longest[of].astype(float) for of in LISTS})
    return data.merge(counts, on=keys)


MISSES = "Read misses of idle processors per create"
draw = Plot("misses", MISSES, "strategy", room=1.8, legend_columns=1)


@judges("ALL-39")
def all_39(claim: Claim, data: pd.DataFrame) -> Verdict:
    if missing := [column for column in LISTS if column not in data]:
        raise NotRun(f"columns {', '.join(missing)}: the guest does not count whole lists")
    lists, accesses = (Curves.of(data, y, curve="strategy") for y in LISTS)
    whole, inside = (of.at(FREELIST, PROCESSORS) for of in (lists, accesses))
    parts = {p: whole[p] / inside[p] / (2 / p) for p in PROCESSORS}
    return claim.at_most(parts, 1.0, "part of 2/T, most at P={}")


CLAIMS = claims("all-4.4", all_39, M=draw.curves, POLLING=POLLING)
FIGURE = Figure(series, draw, CLAIMS, measure, tidy=True, failures=draw.failures)
