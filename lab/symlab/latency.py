# SPDX-License-Identifier: MIT
"""Runs of thread_latency.c: what a thread costs, in parts, from stopwatches and from clock reads.

Stopwatches run over all events of a run. The shortest run of a case, whose events only warm up, is
taken off the longest, which begins in the same way.
"""

from pathlib import Path

import pandas as pd

from symlab.figure import finished
from symlab.simulator import read_json

WATCHES = ("create", "made", "started", "finish")
OWN_LOCK = "end_lock"  # of the program, not of the package
PARTS = ("create_us", "start_us", "finish_us", "cost_us")
# Whatever is done for threads, and not the waiting of an idle processor.
MANAGEMENT = ("threads_us", "critical_us", "spin_us")
SUMMED = ("package_attempts", "package_wait_us", "idle_us", *MANAGEMENT)


def measure(folder: Path) -> dict[str, float]:
    """Sums over a run: times of each stopwatch; attempts at and waits for the package's locks."""
    summary = read_json(folder / "summary.json") or {}
    locks = {lock["name"]: lock for lock in summary.get("locks") or []}
    watches = {f"{name}_watch": f"watch_{name}_us" for name in WATCHES}
    package = [lock for name, lock in locks.items() if name not in {*watches, OWN_LOCK}]
    row = {column: locks[w]["wait_us"] if w in locks else 0.0 for w, column in watches.items()}
    return row | {
        "package_attempts": sum(lock["attempts"] for lock in package),
        "package_wait_us": sum(lock["wait_us"] for lock in package),
    }


def costs(runs: pd.DataFrame) -> pd.DataFrame:
    """A row for each number of processors, strategy and number of runnable threads, sorted.

    Columns of one event, in us, by probes: create_us, in thread_create; start_us, from before it
    to the start of the new thread, where processors idle; finish_us, from a thread's end to the
    next one's start on its processor, where threads wait; cost_us as the paper counts it, start_us
    or create_us + finish_us. stamps_cost_us is cost_us by clock reads, if there are such runs, and
    stamps_more_us what that is more. management_us is all processors' time in thread management,
    lock_wait_us what of it are waits for locks; attempts: how often a lock was tried.
    """
    keys = ["processors", "strategy", "runnable"]
    sums = [*(f"watch_{name}_us" for name in WATCHES), *SUMMED]
    done = finished(_with_processors(runs), [*keys, "times", "events", *sums]).copy()
    probes = done[done["times"] == "probes"].sort_values([*keys, "events"])
    cases = probes.set_index(keys)[[*sums, "events"]].astype(float).groupby(level=keys)
    added = cases.last() - cases.first()
    added = added[added["events"] > 0]
    each = added[sums].div(added["events"], axis=0)
    data = pd.DataFrame(index=each.index)
    idle = _some_idle(each)
    data["create_us"] = each["watch_create_us"]
    data["start_us"] = (each["watch_made_us"] - each["watch_started_us"]).where(idle)
    data["finish_us"] = each["watch_finish_us"].where(~idle)
    data["cost_us"] = data["start_us"].where(idle, data["create_us"] + data["finish_us"])
    data["stamps_cost_us"] = _stamped(done[done["times"] == "stamps"], keys)
    data["stamps_more_us"] = data["stamps_cost_us"] - data["cost_us"]
    data["management_us"] = each[list(MANAGEMENT)].sum(axis=1)
    data["lock_wait_us"] = each["package_wait_us"]
    data["attempts"] = each["package_attempts"]
    return data.round(6).sort_index().reset_index()


def _stamped(runs: pd.DataFrame, keys: list[str]) -> pd.Series:
    """cost_us from what the guest reports, which is of the events behind `warm`."""
    columns = ["create_us", "start_us", "finish_us", "events", "warm"]
    sums = runs.set_index(keys).reindex(columns=columns).astype(float)
    sums = sums[sums["events"] > sums["warm"]]
    cost = sums["start_us"].where(_some_idle(sums), sums["create_us"] + sums["finish_us"])
    return cost / (sums["events"] - sums["warm"])


def _some_idle(data: pd.DataFrame) -> pd.Series:
    """Whether fewer threads are runnable than there are processors, by row."""
    index = data.index
    idle = index.get_level_values("runnable") < index.get_level_values("processors")
    return pd.Series(idle, index=index)


def _with_processors(runs: pd.DataFrame) -> pd.DataFrame:
    return runs if "processors" in runs else runs.assign(processors=PROCESSORS)


PROCESSORS = 18  # of the configs that do not sweep them, as the paper's
