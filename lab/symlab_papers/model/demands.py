# SPDX-License-Identifier: MIT
"""Service demands of the model, by the inductive experiments of ALL section 5.1.

All experiments run threads that create their successors (guest/workloads/null_threads.c):

    management  threads with so much work that they rarely wait for a lock. It gives the cost of a
                thread outside and inside critical sections, with structures shared by processors.
    waiting     threads without work, so that the ready queue's lock always has waiters. It gives
                the bus use of a waiter and the duration of a lock handoff.
    alone       the modelled threads on one processor. It gives the cost of their own work.

The simulator counts bus time directly. The paper infers it from the slowdown of other processors,
since a real machine cannot count it. Times are per thread, averaged over all threads of a run,
including those before its clock starts. Idle time is not a demand: with as many threads as
processors, these idle only in the barriers before and after the timed part.
"""

import functools
from collections.abc import Mapping
from typing import Any

import pandas as pd
from symlab.plot.figure import finished
from symlab.runs.one_run import Run

from symlab_papers.measures import by_activity
from symlab_papers.model.levels import Demand, Demands
from symlab_papers.model.mva import Class, approximate
from symlab_papers.names import FREELIST, LOCAL, NULL

ACTIVITIES = ("user", "threads", "critical", "spin")
VISITS = 2  # a thread visits a ready queue twice with both strategies (guest/threads/strategies/)
CROWDED = 0.5  # least mean number of spinners for a usable waiting experiment

Row = Mapping[Any, Any]


def measure(run: Run) -> dict[str, float]:
    """Columns of the run. <activity>_bus_us: bus time occupied in that activity, us. inside_us:
    time from the start of the clock until a processor has run its share of the threads, averaged
    over the processors, us."""
    columns = by_activity.bus_us(run, ACTIVITIES)
    return columns | {"inside_us": run["regions"][0]["mean_inside_us"]}


def per_thread(runs: pd.DataFrame) -> pd.DataFrame:
    """One row per finished run, with averages per thread.

    Columns: program, strategy, processors, work_us, store_turns; rate in thousands of threads per
    second; for each activity <activity>_us, processor time per thread, and <activity>_bus_us, bus
    time per thread; passes, lock acquisitions per thread; spinners, mean number of spinning
    processors; bus_utilisation. Raises UserError if a column of `runs` is missing.

    The rate uses the time that each processor takes for its share. So a processor that finishes
    earlier than others does not count as idle.
    """
    keys = ["program", "strategy", "processors", "work_us", "store_turns"]
    times = [f"{a}{unit}" for a in ACTIVITIES for unit in ("_us", "_bus_us")]
    own = ["threads", "warm", "inside_us", "lock_acquisitions", "bus_utilisation"]
    done = finished(runs, [*keys, *times, *own]).copy()
    share = done["threads"] // done["processors"]
    all_threads = (share + done["warm"]) * done["processors"]
    found = done[keys].copy()
    found["rate"] = 1000 * share * done["processors"] / done["inside_us"]
    for column in times:
        found[column] = done[column] / all_threads
    found["passes"] = done["lock_acquisitions"] / all_threads
    found["spinners"] = found["spin_us"] * found["rate"] / 1000
    found["bus_utilisation"] = done["bus_utilisation"]
    return found.reset_index(drop=True)


class Experiments:
    """Demands from the rows of `per_thread`. `management_us`: work per thread, in us, of the runs
    that are the management experiment."""

    def __init__(self, rows: pd.DataFrame, management_us: int) -> None:
        management = rows[rows["work_us"] == management_us]
        shared = management.loc[management["strategy"] == FREELIST, "processors"]
        crowded = (rows["program"] == NULL) & (rows["spinners"] >= CROWDED)
        waiting = rows[crowded & rows["processors"].isin(shared)]
        self._management: dict[tuple[str, int], Row] = {}
        for run in management.to_dict("records"):
            self._management.setdefault((run["strategy"], run["processors"]), run)
        self._waiting = waiting.sort_values("processors").to_dict("records")
        self._handoff = functools.cache(self._measured_handoff)  # many points need the same one

    def missing(self, strategy: str, processors: int) -> str:
        """The experiments missing for the demands of this point, in words; empty if none is."""
        lacks = []
        if (strategy, processors) not in self._management:
            lacks.append(f"management of {strategy} at P={processors}")
        if self._waiting_with(processors) is None:
            lacks.append(f"waiting at P={processors}")
        return ", ".join(lacks)

    def demands(self, alone: Row, processors: int) -> Demands:
        """Demands of threads on `processors` processors; `alone`: their run on one processor.

        The handoff is always measured on the central ready queue, since only its lock has enough
        waiters; local queues use the same lock. If too few processors wait with this number, the
        experiment with the next larger number is used.
        """
        management = self._management[alone["strategy"], processors]
        handoff_us, spinner_bus_us = self._handoff(processors)
        work = _demand(alone, "user")
        outside = work + _demand(management, "threads")
        section = _demand(management, "critical", management["passes"])
        locks = processors if alone["strategy"] == LOCAL else 1
        return Demands(outside, section, locks, VISITS, handoff_us, spinner_bus_us)

    def _measured_handoff(self, processors: int) -> tuple[float, float]:
        """The part of a handoff without the bus, and the bus time of a spinner per acquisition, us.

        The measured handoff is the interval between acquisitions minus the section. From it we
        subtract the time that the winner spends at the bus. The lower level of the model computes
        that time from the measured mean numbers of processors in each activity.
        """
        run = self._waiting_with(processors)
        assert run is not None, f"nothing measured for {processors} processors: ask `missing` first"
        management = self._management[FREELIST, run["processors"]]
        interval_us = 1000 / (run["rate"] * run["passes"])
        spinner_bus_us = run["spin_bus_us"] / run["passes"] / run["spinners"]
        present = {a: run[f"{a}_us"] * run["rate"] / 1000 for a in ACTIVITIES}
        outside = _demand(run, "user") + _demand(management, "threads")
        section = _demand(management, "critical", management["passes"])
        classes = (
            Class(present["user"] + present["threads"], outside.think_us, outside.bus_us),
            Class(present["critical"], section.think_us, section.bus_us),
            Class(present["spin"], 0.0, spinner_bus_us, cycle_us=interval_us),
        )
        looking_us = approximate(classes, int(run["processors"]))[-1].residence_us[0]
        handoff_us = interval_us - run["critical_us"] / run["passes"]
        return max(0.0, handoff_us - looking_us), spinner_bus_us

    def _waiting_with(self, processors: int) -> Row | None:
        """The waiting experiment with the least number of processors that is not smaller."""
        return next((run for run in self._waiting if run["processors"] >= processors), None)


def _demand(row: Row, activity: str, parts: float = 1.0) -> Demand:
    bus_us = row[f"{activity}_bus_us"]
    return Demand((row[f"{activity}_us"] - bus_us) / parts, bus_us / parts)
