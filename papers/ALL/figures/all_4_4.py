# SPDX-License-Identifier: MIT
"""ALL section 4.4: read misses of idle processors for each thread that is created."""

import pandas as pd
from symlab.plot.figure import finished
from symlab.plot.repeats import averaged
from symlab.runs.one_run import Run
from symlab_papers.measures import by_activity
from symlab_papers.measures.differences import per_additional

LISTS = ["whole_lists", "list_accesses"]  # results of the guest


def measure(run: Run) -> dict[str, float]:
    """The columns of `by_activity.measure`, and pool_accesses. pool_accesses: acquisitions of the
    lock of the pool that supplies local free lists with blocks."""
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
