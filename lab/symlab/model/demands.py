# SPDX-License-Identifier: MIT
"""Service demands of the model, by the inductive experiments of ALL section 5.1.

All are runs of threads that create their successors (guest/workloads/null_threads.c):

    management  with so much work that hardly anybody waits: what a thread costs outside sections
                and in them, where several processors share the structures
    waiting     without work: somebody always waits for the ready queue's lock. What each of them
                takes of the bus, and how long the hand-over takes
    alone       the threads that are modelled, on one processor: what their own work costs

Bus time is counted, as nobody can on a real machine: the paper infers it from the slowdown of
others. Times are per thread, of all threads of a run, those before its clock starts included. Idle
time is nobody's demand: with as many threads as processors it is that of the barriers before and
after what is timed.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from symlab import by_activity
from symlab.figure import finished
from symlab.model.levels import Demand, Demands
from symlab.model.mva import Class, approximate
from symlab.simulator import read_json

FREELIST, LOCAL = "local-freelist", "local-readyq-random"
NULL = "null_threads"
ACTIVITIES = ("user", "threads", "critical", "spin")
VISITS = 2  # of a thread's life to a ready queue (guest/threads/strategies/, with both)
CROWDED = 0.5  # spinners on average from which a waiting experiment says something

Row = Mapping[str, Any]


def measure(folder: Path) -> dict[str, float]:
    """Columns <activity>_bus_us, the bus held for it, and inside_us, the time from the start of the
    clock until a processor has run its share, on average over the processors."""
    columns = by_activity.bus_us(folder, ACTIVITIES)
    regions = (read_json(folder / "summary.json") or {})["regions"]
    return columns | {"inside_us": regions[0]["mean_inside_us"]}


def per_thread(runs: pd.DataFrame) -> pd.DataFrame:
    """The finished runs, with what their threads did.

    Columns beside those that say which run: rate, thousands of threads per second; for each
    activity <activity>_us, time of a processor, and <activity>_bus_us, bus held, both per thread;
    passes, lock acquisitions per thread; spinners, mean number; bus_utilisation.

    The rate is each processor's share over its own time: who is done earlier than others does not
    count as idle.
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
    """Demands from the rows of `per_thread`. `management_us`: work of the management experiment."""

    def __init__(self, rows: pd.DataFrame, management_us: int) -> None:
        self._management = rows[rows["work_us"] == management_us]
        shared = self._management.loc[self._management["strategy"] == FREELIST, "processors"]
        crowded = (rows["program"] == NULL) & (rows["spinners"] >= CROWDED)
        self._waiting = rows[crowded & rows["processors"].isin(shared)]

    def missing(self, strategy: str, processors: int) -> str:
        """What was not run for the demands of this point, in words; empty if nothing."""
        lacks = []
        if self._of_management(strategy, processors).empty:
            lacks.append(f"management of {strategy} at P={processors}")
        if self._of_waiting(processors).empty:
            lacks.append(f"waiting at P={processors}")
        return ", ".join(lacks)

    def demands(self, alone: Row, processors: int) -> Demands:
        """For threads whose run on one processor is `alone`, with as many as `processors`.

        The lock's part is always that of the central ready queue, where alone it can be measured:
        it is the same lock. With fewer processors than ever wait for it, the next number's.
        """
        management = self._of_management(alone["strategy"], processors).iloc[0]
        handover_us, spinner_bus_us = self._handover(processors)
        work = _demand(alone, "user")
        outside = work + _demand(management, "threads")
        section = _demand(management, "critical", management["passes"])
        locks = processors if alone["strategy"] == LOCAL else 1
        return Demands(outside, section, locks, VISITS, handover_us, spinner_bus_us)

    def _handover(self, processors: int) -> tuple[float, float]:
        """What of a hand-over is not on the bus, and a spinner's bus time from one acquisition to
        the next, us.

        The measured hand-over is the interval of acquisitions less the section. What the winner
        waits for the bus in it is computed from the numbers of processors that were measured.
        """
        run = self._of_waiting(processors).iloc[0]
        management = self._of_management(FREELIST, int(run["processors"])).iloc[0]
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
        handover_us = interval_us - run["critical_us"] / run["passes"]
        return max(0.0, handover_us - looking_us), spinner_bus_us

    def _of_management(self, strategy: str, processors: int) -> pd.DataFrame:
        rows = self._management
        return rows[(rows["strategy"] == strategy) & (rows["processors"] == processors)]

    def _of_waiting(self, processors: int) -> pd.DataFrame:
        rows = self._waiting[self._waiting["processors"] >= processors]
        return rows.sort_values("processors")


def _demand(row: Row, activity: str, parts: float = 1.0) -> Demand:
    bus_us = row[f"{activity}_bus_us"]
    return Demand((row[f"{activity}_us"] - bus_us) / parts, bus_us / parts)
