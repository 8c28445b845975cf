# SPDX-License-Identifier: MIT
"""What the figures of WKS share: the locks' names, the time of a turn, where a worker's time goes.

A turn is work, acquisition, section and release of one worker (guest/workloads/process_loop.c).
turn_us is the elapsed time divided by the turns of each worker. Turns are proportional to workers,
so ideally turn_us depends neither on their number nor on the lock. D(m) and D(P) of the claims are
turn_us.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from symlab.plot.curves import chosen
from symlab.plot.figure import finished
from symlab.plot.repeats import averaged
from symlab.results.columns import of_run
from symlab.results.csv_file import read_csv
from symlab.runs.one_run import Run

TTAS, TTASN, Q, QN, QH, SQ, NAT, NATN = "TTAS", "TTASn", "Q", "Qn", "QH", "SQ", "NAT", "NATn"
# File in guest/locks -> the paper's name, but TTAS for its TAS; n: no preemption in the section.
LOCKS = {
    "read": TTAS,
    "read-no-preempt": TTASN,
    "queued": Q,
    "queued-no-preempt": QN,
    "queued-handshake": QH,
    "smart-q": SQ,
    "native": NAT,
    "native-no-preempt": NATN,
}
NAMES = tuple(LOCKS.values())
OF_THE_KSR = {"sub-page": NAT, "sub-page-no-preempt": NATN}  # its native locks
HARDWARE = ", cmpxchg"  # of a lock's name: compare-and-swap is an instruction
THOUSANDTHS = 1000  # of the argument multiprogramming
STATES = ("work", "acquire", "section", "release", "kernel", "preempted", "ready")
# Columns that some sweeps have, and the value of the rows that are drawn and judged: a Symmetry's
# Model A or B; processes of the kernel, or the paper's harness with signals.
VARIANTS = {"protocol": "write-back", "kernel": "local"}
LEAST_US = 100  # at which a logarithmic axis begins; a turn takes at least 165 us


def keys_of(runs: pd.DataFrame, *keys: str) -> list[str]:
    """The keys of a figure's data: the columns of VARIANTS that the sweep has, and those given."""
    return [*(name for name in VARIANTS if name in runs), *keys]


def of_variant(data: pd.DataFrame) -> pd.DataFrame:
    """The rows with the values of VARIANTS."""
    return chosen(data, **{name: VARIANTS[name] for name in VARIANTS if name in data})


def named(runs: pd.DataFrame, columns: Sequence[str]) -> pd.DataFrame:
    """The finished runs, with the names of LOCKS. `columns`: those that they need."""
    done = finished(runs, keys_of(runs, "lock", "workers", "elapsed_us", *columns)).copy()
    done["lock"] = done["lock"].replace({**LOCKS, **OF_THE_KSR})
    if "isa" in done:
        done["lock"] += np.where(done["isa"] == "i486", HARDWARE, "")
    return done


def turns(runs: pd.DataFrame, *keys: str, others: Sequence[str] = ()) -> pd.DataFrame:
    """Tidy data, sorted: VARIANTS, lock, `keys`, turn_us, spread_us, `others`."""
    done = named(runs, ["turns", *keys, *others])
    done["turn_us"] = done["elapsed_us"] * done["workers"] / done["turns"]
    return averaged(done, keys_of(runs, "lock", *keys), "turn_us", "spread_us", others)


def measure(run: Run) -> dict[str, float]:
    """Columns of the run. workers_<state>_us: time of all workers in that state, from
    processes.csv. Only workers end before the run does; before the common start they are blocked.
    held_us: for which the loop's lock was held."""
    processes = read_csv(run.folder / "processes.csv", of_run)
    workers = processes["ended_us"].notna()
    columns = {f"workers_{s}_us": float(processes.loc[workers, f"{s}_us"].sum()) for s in STATES}
    held = [lock["hold_us"] for lock in run["locks"] if lock["name"] == "turns_lock"]
    return {**columns, "held_us": sum(held)}
