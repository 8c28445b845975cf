# SPDX-License-Identifier: MIT
"""What a reproduction costs the host: cost.json, with the work of each sweep.

The work (runs, simulated time, instructions, transactions) is the same on every host. It is also
the estimate of the time that the next reproduction takes. A run that several sweeps need belongs to
the first of them.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd
from symlab.files import read_json, write_atomically
from symlab.runs.store import FAILED

FILE = "cost.json"
SCHEMA_VERSION = 1
US_PER_S = 1e6
# kernel_wake in ns of the host of results/bench (docs/dev/performance.md), to which elapsed times
# are converted.
EQUAL_WAKE_NS = 67.0

# Rough host times in s, of which only the ratios matter: a transaction takes 0.11 to 0.35 us
# (docs/dev/performance.md), an instruction about 1 ns since most are skipped in sleeping loops
# (results/bench/all-3.3-cost.csv). A run without work takes 0.04 s of CPU time: its process 0.02,
# --print-config 0.01, symlab the rest.
TRANSACTION_S, INSTRUCTION_S, RUN_S = 0.2e-6, 1e-9, 0.04
# A run of a spread or a sensitivity, with its work, if nothing is known of it: 11,600 such runs
# took 20 minutes of CPU time.
SHORT_RUN_S = 0.1


@dataclass(frozen=True)
class Work:
    """The work of a sweep's own runs. `cpu_s`: host CPU time of the simulator for them.

    `made`: how many of the `runs` the command made; the others it found.
    """

    runs: int = 0
    simulated_s: float = 0.0
    instructions: int = 0
    transactions: int = 0
    cpu_s: float = 0.0
    made: int = 0

    @property
    def weight(self) -> float:
        """A rough host time in s, to compare sweeps by."""
        counted = self.transactions * TRANSACTION_S + self.instructions * INSTRUCTION_S
        return counted + self.runs * RUN_S


def work_of(frame: pd.DataFrame, made: set[str]) -> Work:
    """The work of the runs in a sweep's `frame`. `made`: the names of those made now.

    Without a column `run`, as in a figure's table, each row is a run.
    """
    runs = frame.drop_duplicates("run").dropna(subset="run") if "run" in frame else frame
    names = runs["run"].astype(str) if "run" in runs else pd.Series(dtype=str)

    def total(column: str) -> float:
        return float(runs[column].sum()) if column in runs else 0.0

    return Work(
        runs=len(runs),
        simulated_s=round(total("simulated_us") / US_PER_S, 6),
        instructions=int(total("instructions")),
        transactions=int(total("all_transactions")),
        cpu_s=round(total("cpu_s"), 3),
        made=int(names.str.removesuffix(FAILED).isin(made).sum()),
    )


@dataclass
class Cost:
    """The cost of a reproduction in progress. `sweeps`: name -> work of the sweeps so far."""

    sweeps: dict[str, Work] = field(default_factory=dict)
    _seen: set[str] = field(default_factory=set)

    def add(self, name: str, frame: pd.DataFrame, made: set[str]) -> Work:
        """A sweep has ended; returns the work of its runs that no sweep before has."""
        own = frame[~frame["run"].isin(self._seen)]
        self.sweeps[name] = work_of(own, made)
        self._seen.update(own["run"].dropna())
        return self.sweeps[name]

    @property
    def runs(self) -> int:
        return sum(work.runs for work in self.sweeps.values())

    @property
    def made(self) -> int:
        return sum(work.made for work in self.sweeps.values())

    @property
    def cpu_s(self) -> float:
        return sum(work.cpu_s for work in self.sweeps.values())


@dataclass(frozen=True)
class HostTime:
    """The host's time for a reproduction. `wake_ns`: kernel_wake before and after; None if not
    measured."""

    elapsed_s: float
    jobs: int | None
    wake_ns: tuple[float | None, float | None] = (None, None)

    @property
    def equal_s(self) -> float | None:
        """The elapsed time on a host with EQUAL_WAKE_NS, if all went by kernel_wake."""
        before, after = self.wake_ns
        if before is None or after is None:
            return None
        return self.elapsed_s * EQUAL_WAKE_NS / ((before + after) / 2)


def document(cost: Cost, time: HostTime, failed: bool, facts: Mapping[str, Any]) -> bytes:
    """The content of cost.json. `failed`: whether a run has. `facts`: `host_facts`."""
    equal_s = time.equal_s
    before, after = (None if wake is None else round(wake, 2) for wake in time.wake_ns)
    content = {
        "schema_version": SCHEMA_VERSION,
        "complete": not failed and cost.made == cost.runs,
        "jobs": time.jobs,
        "elapsed_s": round(time.elapsed_s, 1),
        "cpu_s": round(cost.cpu_s, 1),
        "kernel_wake_before_ns": before,
        "kernel_wake_after_ns": after,
        "elapsed_at_67_ns_s": None if equal_s is None else round(equal_s, 1),
        "runs": cost.runs,
        "made": cost.made,
        "host": dict(facts),
        "sweeps": {name: asdict(work) for name, work in cost.sweeps.items()},
    }
    return (json.dumps(content, indent=1) + "\n").encode()


def write_cost(folder: Path, content: bytes) -> Path:
    """Writes cost.json; returns its path. Raises OutputError."""
    write_atomically(folder / FILE, content)
    return folder / FILE


def known_work(folder: Path) -> dict[str, Work]:
    """Name -> work of the sweeps in cost.json of `folder`; empty if there is none to be read."""
    found = read_json(folder / FILE) or {}
    try:
        return {name: Work(**work) for name, work in dict(found["sweeps"]).items()}
    except (KeyError, TypeError, ValueError):
        return {}
