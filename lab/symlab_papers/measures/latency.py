# SPDX-License-Identifier: MIT
"""Cost of a thread and of its parts, from runs of guest/workloads/thread_latency.c.

In an event a thread creates another one and finishes later. A stopwatch is a pair of lock probes
whose "wait" the simulator reports; it costs no simulated time. Stopwatches sum over all events of
a run. The shortest run of each case has only warm-up events. Its sums are subtracted from those of
the longest run, which begins with the same events.
"""

import pandas as pd
from symlab.plot.figure import finished
from symlab.runs.one_run import Run

WATCHES = ("create", "made", "started", "finish")
OWN_LOCK = "end_lock"  # a lock of the program, not of the thread package
PARTS = ("create_us", "start_us", "finish_us", "cost_us")
# Activities that count as thread management; an idle processor's waiting does not.
MANAGEMENT = ("threads_us", "critical_us", "spin_us")
PROCESSORS = 18  # in the configs that do not sweep the processors, as in ALL Figure 3.4
SUMMED = ("package_attempts", "package_wait_us", "idle_us", *MANAGEMENT)


def measure(run: Run) -> dict[str, float]:
    """Columns of the run, sums over all processors and events. watch_<name>_us: time of each
    stopwatch. package_attempts, package_wait_us: attempts at, and time spent waiting for, the locks
    of the thread package."""
    locks = {lock["name"]: lock for lock in run["locks"]}
    watches = {f"{name}_watch": f"watch_{name}_us" for name in WATCHES}
    package = [lock for name, lock in locks.items() if name not in {*watches, OWN_LOCK}]
    row = {column: locks[w]["wait_us"] if w in locks else 0.0 for w, column in watches.items()}
    return row | {
        "package_attempts": sum(lock["attempts"] for lock in package),
        "package_wait_us": sum(lock["wait_us"] for lock in package),
    }


def costs(runs: pd.DataFrame) -> pd.DataFrame:
    """One row per number of processors, strategy and number of runnable threads, sorted.

    All columns are per event and in us, and timed by probes unless noted. create_us: time in
    thread_create. start_us, if processors idle: from before thread_create to the start of the new
    thread. finish_us, if threads wait: from a thread's end to the start of the next thread on its
    processor. cost_us: cost as in ALL section 3.5, that is start_us, or create_us + finish_us.
    stamps_cost_us: cost_us timed by clock reads, if there are such runs; stamps_more_us: its excess
    over cost_us. management_us: time of all processors in thread management; lock_wait_us: the part
    of it spent waiting for locks. attempts: number of lock attempts.
    Raises UserError if a column of the runs is missing.
    """
    keys = ["processors", "strategy", "runnable"]
    sums = [*(f"watch_{name}_us" for name in WATCHES), *SUMMED]
    runs = runs if "processors" in runs else runs.assign(processors=PROCESSORS)
    done = finished(runs, [*keys, "times", "events", *sums]).copy()
    probes = done[done["times"] == "probes"].sort_values([*keys, "events"])
    cases = probes.set_index(keys)[[*sums, "events"]].astype(float).groupby(level=keys)
    added = cases.last() - cases.first()
    added = added[added["events"] > 0]
    per_event = added[sums].div(added["events"], axis=0)
    data = pd.DataFrame(index=per_event.index)
    idle = _some_idle(per_event)
    data["create_us"] = per_event["watch_create_us"]
    data["start_us"] = (per_event["watch_made_us"] - per_event["watch_started_us"]).where(idle)
    data["finish_us"] = per_event["watch_finish_us"].where(~idle)
    data["cost_us"] = data["start_us"].where(idle, data["create_us"] + data["finish_us"])
    data["stamps_cost_us"] = _stamped(done[done["times"] == "stamps"], keys)
    data["stamps_more_us"] = data["stamps_cost_us"] - data["cost_us"]
    data["management_us"] = per_event[list(MANAGEMENT)].sum(axis=1)
    data["lock_wait_us"] = per_event["package_wait_us"]
    data["attempts"] = per_event["package_attempts"]
    return data.round(6).sort_index().reset_index()


def _stamped(runs: pd.DataFrame, keys: list[str]) -> pd.Series:
    """cost_us by clock reads; the guest reports sums over the events after the first `warm`."""
    columns = ["create_us", "start_us", "finish_us", "events", "warm"]
    sums = runs.set_index(keys).reindex(columns=columns).astype(float)
    sums = sums[sums["events"] > sums["warm"]]
    cost = sums["start_us"].where(_some_idle(sums), sums["create_us"] + sums["finish_us"])
    return cost / (sums["events"] - sums["warm"])


def _some_idle(data: pd.DataFrame) -> pd.Series:
    """For each row, whether fewer threads are runnable than there are processors."""
    index = data.index
    idle = index.get_level_values("runnable") < index.get_level_values("processors")
    return pd.Series(idle, index=index)
