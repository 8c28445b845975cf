# SPDX-License-Identifier: MIT
"""Measures the simulator's own speed: repeated runs of the scenarios, medians and verdicts.

Each scenario runs once in every round. So a temporary disturbance of the host affects all
scenarios alike, and ratios compare runs that were made shortly after each other. The speed of the
host is measured between the runs.
"""

import tempfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd
from symlab.errors import LabError, OutputError
from symlab.files import read_json
from symlab.results.table import host_columns
from symlab.runs.settings import Scalar
from symlab.runs.simulator import summary_of
from symlab_papers.host import normalised

from symlab_tools.bench.scenarios import NORMALISED, NS_PER_INSTRUCTION, SLOWDOWN, Scenario

FIXED = ["simulated_us", "instructions"]  # equal in all runs of a scenario
WAKE = "kernel_wake_ns"
HOLDS, FAILS, NOT_JUDGED = "holds", "fails", "not judged"

RUN_COLUMNS = [
    "config", "round", *FIXED, "cpu_s", SLOWDOWN, WAKE, NORMALISED, "mips", NS_PER_INSTRUCTION,
    "peak_rss_mb",
]  # fmt: skip


def measure(
    scenarios: list[Scenario],
    rounds: int,
    measure_wake_ns: Callable[[], float],
    short: bool = False,
    simulator: Path | None = None,
    on_progress: Callable[[str], None] = lambda name: None,
) -> pd.DataFrame:
    """Runs the scenarios; one row per run, with RUN_COLUMNS and compiler.

    `measure_wake_ns`: measures the host's `kernel_wake`; that of a run is the mean of the values
    right before and right after it. `short`: runs the short forms. `on_progress` is called with a
    line of progress before each run. Raises LabError if two runs of a scenario differ in a
    column of FIXED.
    """
    rows: list[dict[str, Any]] = []
    before_ns = measure_wake_ns()
    for number in range(1, rounds + 1):
        for scenario in scenarios:
            on_progress(f"round {number} of {rounds}: {scenario.name}")
            settings = scenario.short if short else {}
            row = timed_run(scenario.config, settings, simulator)
            after_ns = measure_wake_ns()
            wake_ns = (before_ns + after_ns) / 2
            before_ns = after_ns  # the next run follows at once
            speed = {WAKE: wake_ns, NORMALISED: normalised(row[SLOWDOWN], wake_ns)}
            rows.append({"config": scenario.name, "round": number, **row, **speed})
    runs = pd.DataFrame(rows)[[*RUN_COLUMNS, "compiler"]]
    different = runs.groupby("config")[FIXED].nunique().max(axis=1) > 1
    if different.any():
        names = ", ".join(different.index[different])
        raise LabError(f"{names}: not the same in all runs; was something rebuilt meanwhile?")
    return runs


def judged(runs: pd.DataFrame, scenarios: Iterable[Scenario], short: bool = False) -> pd.DataFrame:
    """One row per scenario: medians over its runs, least and most slowdown, bound and verdict. The
    value of a ratio is the median of the ratios within each round. Short forms get no verdict."""
    rows = []
    for scenario in scenarios:
        own = runs[runs["config"] == scenario.name].set_index("round")
        row: dict[str, Any] = {"config": scenario.name, "runs": len(own)}
        row |= {column: own[column].iloc[0] for column in FIXED}
        medians = own[RUN_COLUMNS[RUN_COLUMNS.index("cpu_s") :]].median()
        row |= {str(name): value for name, value in medians.round(4).items()}
        least, most = own[SLOWDOWN].min(), own[SLOWDOWN].max()
        row |= {"slowdown_least": round(least, 4), "slowdown_most": round(most, 4)}
        rows.append(row | _judgement(runs, own, scenario, short))
    return pd.DataFrame(rows)


def _judgement(
    runs: pd.DataFrame, own: pd.DataFrame, scenario: Scenario, short: bool
) -> dict[str, Any]:
    values = own[scenario.column]
    if scenario.against:
        other = runs[runs["config"] == scenario.against].set_index("round")
        values = values / other[scenario.column]
    value = round(float(values.median()), 4)
    state = NOT_JUDGED
    if scenario.at_most is not None and not short:
        state = HOLDS if value <= scenario.at_most else FAILS
    judged = {"judged": scenario.column, "against": scenario.against or "", "value": value}
    return judged | {"at_most": scenario.at_most, "verdict": state}


NS_PER_S = 1e9


def timed_run(
    config: Path, settings: Mapping[str, Scalar], simulator: Path | None = None
) -> dict[str, Any]:
    """Runs `config` with `settings` (key -> value) and removes the files of the run. Returns
    simulated_us, instructions, the columns of `table.host_columns`, ns_per_instruction (host CPU
    time) and compiler. Raises RunFailed, UserError, OutputError."""
    with tempfile.TemporaryDirectory(prefix="symlab-bench-") as folder:
        summary = summary_of(config, settings, folder, simulator)
        host = read_json(Path(folder) / "host.json")
    if host is None:
        raise OutputError(f"{config}: the run left no host.json; is the disk of {folder} full?")
    simulated_us, instructions = summary["simulated_us"], summary["instructions"]
    return {
        "simulated_us": simulated_us,
        "instructions": instructions,
        **host_columns(host, simulated_us),
        "ns_per_instruction": host["cpu_s"] * NS_PER_S / instructions,
        "compiler": host["compiler"],
    }
