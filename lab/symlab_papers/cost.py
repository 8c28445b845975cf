# SPDX-License-Identifier: MIT
"""What a reproduction costs the host: cost.json, with the work of each sweep.

The work (runs, simulated time, instructions, transactions) is the same on every host. It is also
the estimate of the time that the next reproduction takes. A run that several sweeps need belongs to
the first of them.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd
from symlab.files import read_json
from symlab.runs.planned import clock
from symlab.runs.store import FAILED

FILE = "cost.json"
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
    """The work of a sweep's own runs. `cpu_s`: host CPU time of the simulator for them. `made`: how
    many of the `runs` the command made; the others it found."""

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

    @property
    def weight_made(self) -> float:
        """That of the runs that were made, as if all were alike."""
        return self.weight * self.made / self.runs if self.runs else 0.0


def work_of(frame: pd.DataFrame, made: set[str]) -> Work:
    """The work of the runs in a sweep's `frame`. `made`: the names of those made now. Without a
    column `run`, as in a figure's table, each row is a run."""
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

    def document(
        self, elapsed_s: float, jobs: int | None, wake_ns: tuple[float | None, float | None],
        failed: bool, host: Mapping[str, Any],
    ) -> dict[str, Any]:  # fmt: skip
        """The content of cost.json. `wake_ns`: kernel_wake before and after; None if not measured.
        `failed`: whether a run has. `host`: its facts."""
        works = self.sweeps.values()
        runs, made = sum(work.runs for work in works), sum(work.made for work in works)
        before, after = wake_ns
        equal_s = before and after and elapsed_s * EQUAL_WAKE_NS / ((before + after) / 2)
        return {
            "schema_version": 1,
            "complete": not failed and made == runs,
            "jobs": jobs,
            "elapsed_s": round(elapsed_s, 1),
            "cpu_s": round(sum(work.cpu_s for work in works), 1),
            "kernel_wake_before_ns": before and round(before, 2),
            "kernel_wake_after_ns": after and round(after, 2),
            "elapsed_at_67_ns_s": equal_s and round(equal_s, 1),
            "runs": runs,
            "made": made,
            "host": dict(host),
            "sweeps": {name: asdict(work) for name, work in self.sweeps.items()},
        }


def cost_lines(cost: Mapping[str, Any]) -> list[str]:
    """What the reproduction cost, in lines for the terminal. `cost`: see `Cost.document`."""
    runs, made = cost["runs"], cost["made"]
    lines = [
        f"{runs:,} runs, {made:,} of them made now, in {clock(cost['elapsed_s'])}; "
        f"CPU time of the simulator {clock(cost['cpu_s'])}"
    ]
    if cost["elapsed_at_67_ns_s"] is not None:
        lines.append(
            f"kernel_wake {cost['kernel_wake_before_ns']:.0f} ns before, "
            f"{cost['kernel_wake_after_ns']:.0f} ns after; at {EQUAL_WAKE_NS:g} ns it would be "
            f"{clock(cost['elapsed_at_67_ns_s'])}"
        )
    if made < runs:
        lines.append(
            f"{FILE} is marked as not complete: {runs - made:,} runs were there before; "
            "--fresh makes them again"
        )
    return lines


def known_work(folder: Path) -> dict[str, Work]:
    """Name -> work of the sweeps in cost.json of `folder`; empty if there is none to be read."""
    found = read_json(folder / FILE) or {}
    try:
        return {name: Work(**work) for name, work in dict(found["sweeps"]).items()}
    except (KeyError, TypeError, ValueError):
        return {}
