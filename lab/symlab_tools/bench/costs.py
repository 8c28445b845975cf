# SPDX-License-Identifier: MIT
"""Further costs of the simulator: start-up time, memory, outputs, two runs at a time.

A ratio compares two runs of the same round. Each uses the scenario where its cost is largest. For
outputs about the bus the bus is saturated; for locks.csv the scenario has the most acquisitions per
second of host time.
"""

import os
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
from symlab.errors import LabError, UserError
from symlab.runs.processes import TIME_LIMIT, Children
from symlab.runs.settings import Scalar
from symlab.runs.simulator import Simulator

from symlab_tools.bench.scenarios import chosen
from symlab_tools.bench.timing import FAILS, HOLDS, NOT_JUDGED, timed_run

MS_PER_S = 1000
NO_TIME_MS = 1e-9  # a time limit that ends the run before its first instruction
# The largest interval allowed, so that bus.csv has one row.
ONE_INTERVAL: dict[str, Scalar] = {"observe.interval_us": 1_000_000_000}
PROBES = ".symsim.probes"  # ELF section with the addresses of the probe points; contains no code


@dataclass(frozen=True)
class Host:
    """How the costs are measured: with which binary, and whether with short forms."""

    simulator: Simulator
    short: bool

    def run(self, name: str, settings: Mapping[str, Scalar] | None = None) -> dict[str, Any]:
        """Runs a scenario with further `settings`; the columns of `timed_run`."""
        scenario = chosen([name])[-1]
        form = scenario.short if self.short else {}
        return timed_run(scenario.config, {**form, **(settings or {})}, self.simulator.path)

    def image(self, name: str) -> Path:
        """Path of a scenario's guest image. Raises UserError if it is missing."""
        config = chosen([name])[-1].config
        resolved = self.simulator.resolve(config, {})
        self.simulator.build_guests([resolved])
        found = self.simulator.guest(config, resolved)
        if found is None:
            raise UserError(f"{config}: its guest image is missing")
        return found.path


def start_ms(host: Host) -> float:
    """Wall-clock time in ms of a whole process whose run ends before the first instruction."""
    config = chosen(["hits"])[0].config
    with tempfile.TemporaryDirectory(prefix="symlab-bench-") as folder:
        settings = {"run.limit_ms": NO_TIME_MS}
        begin_s = time.perf_counter()
        ended = host.simulator.run_into(config, settings, Path(folder), Children())
        elapsed_s = time.perf_counter() - begin_s
    if ended.status != TIME_LIMIT:
        raise LabError(f"{config} with no time ended with {ended.status}: {ended.message}")
    return elapsed_s * MS_PER_S


def ratio_of(
    column: str, name: str, settings: Mapping[str, Scalar], base: Mapping[str, Scalar] | None = None
) -> Callable[[Host], float]:
    """A cost function: `column` (cpu_s, wall_s) of the scenario with `settings`, relative to that
    with `base`. The default of `base` is not a setting at all."""

    def ratio(host: Host) -> float:
        relative_to = host.run(name, base)
        return host.run(name, settings)[column] / relative_to[column]

    return ratio


def locks_csv_ratio(host: Host) -> float:
    """CPU time relative to the same guest without probe points, which leaves locks.csv empty."""
    name = "null-threads-local"
    with tempfile.TemporaryDirectory(prefix="symlab-bench-") as folder:
        bare = Path(folder) / "bare.elf"
        command = ["objcopy", "--remove-section", PROBES, str(host.image(name)), str(bare)]
        subprocess.run(command, check=True)
        without = host.run(name, {"guest.image": str(bare)})
    return host.run(name)["cpu_s"] / without["cpu_s"]


def pair_efficiency(host: Host) -> float:
    """Wall-clock time of a run alone, relative to the mean of two runs at a time. NaN on a host
    with one core."""
    if len(os.sched_getaffinity(0)) < 2:
        return float("nan")
    alone_s = host.run("hits")["wall_s"]
    with ThreadPoolExecutor(2) as pool:
        both = list(pool.map(host.run, ["hits", "hits"]))
    return alone_s * len(both) / sum(run["wall_s"] for run in both)


@dataclass(frozen=True)
class Cost:
    """A cost. `name` includes the unit. `measure` gives one value; None if `peak_memory` does. The
    median must be at most `at_most` or at least `at_least`."""

    name: str
    measure: Callable[[Host], float] | None
    at_most: float | None = None
    at_least: float | None = None


LOG: dict[str, Scalar] = {"observe.transactions": True}
PERFETTO: dict[str, Scalar] = {"observe.perfetto": True}

COSTS = [
    Cost("start_ms", start_ms, at_most=30),
    Cost("peak_rss_mb", None, at_most=64),  # includes guest memory; a larger guest may need more
    # The default interval of bus.csv against a bus.csv with a single row.
    Cost("bus_csv_ratio", ratio_of("cpu_s", "writes", {}, ONE_INTERVAL), at_most=1.05),
    Cost("locks_csv_ratio", locks_csv_ratio, at_most=1.05),
    Cost("vcd_ratio", ratio_of("cpu_s", "writes", {"observe.vcd": True}), at_most=2),
    Cost("transactions_ratio", ratio_of("cpu_s", "writes", LOG), at_most=2),
    Cost("transactions_hits_ratio", ratio_of("cpu_s", "hits", LOG), at_most=2),
    Cost("perfetto_ratio", ratio_of("cpu_s", "writes", PERFETTO), at_most=2),
    # Traces are written by a thread of their own, so a run waits less than its CPU time says.
    Cost("transactions_elapsed_ratio", ratio_of("wall_s", "null-threads-local", LOG), at_most=1.5),
    Cost("perfetto_elapsed_ratio", ratio_of("wall_s", "null-threads-local", PERFETTO), at_most=1.5),
    Cost("pair_efficiency", pair_efficiency, at_least=0.95),
]


def measure_costs(host: Host, rounds: int, on_progress: Callable[[str], None]) -> pd.DataFrame:
    """Measures each cost once per round; columns cost, round, value. `on_progress` is called with a
    line of progress before each measurement."""
    rows = []
    for number in range(1, rounds + 1):
        for cost in COSTS:
            if cost.measure is not None:
                on_progress(f"round {number} of {rounds}: {cost.name}")
                rows.append({"cost": cost.name, "round": number, "value": cost.measure(host)})
    return pd.DataFrame(rows)


def peak_memory(runs: pd.DataFrame) -> pd.DataFrame:
    """The largest peak_rss_mb of any scenario in each round; columns as of `measure_costs`."""
    most: Any = runs.groupby("round", as_index=False)["peak_rss_mb"].max()
    return most.rename(columns={"peak_rss_mb": "value"}).assign(cost="peak_rss_mb")


def judged_costs(values: pd.DataFrame, short: bool = False) -> pd.DataFrame:
    """One row per cost: median, least and most of its values, bounds and verdict. `short`: the
    values are those of short forms, which get no verdict."""
    rows = []
    for cost in COSTS:
        own = values.loc[values["cost"] == cost.name, "value"]
        median = round(float(own.median()), 4)
        row = {"cost": cost.name, "rounds": len(own), "median": median}
        row |= {"least": round(float(own.min()), 4), "most": round(float(own.max()), 4)}
        row |= {"at_most": cost.at_most, "at_least": cost.at_least}
        too_much = cost.at_most is not None and median > cost.at_most
        too_little = cost.at_least is not None and median < cost.at_least
        verdict = FAILS if too_much or too_little else HOLDS
        rows.append(row | {"verdict": NOT_JUDGED if short or pd.isna(median) else verdict})
    return pd.DataFrame(rows)
