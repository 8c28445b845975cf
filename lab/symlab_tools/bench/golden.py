# SPDX-License-Identifier: MIT
"""Golden results: instructions and simulated time of each scenario's short form.

They are equal on every host and are kept in configs/bench/golden.csv. If a change that should only
affect the simulator's speed alters them, it has changed the simulated machine or a guest.
"""

from pathlib import Path

import pandas as pd
from symlab.files import write_atomically
from symlab.results.csv_file import csv_bytes

from symlab_tools.bench.scenarios import FOLDER, SCENARIOS, Scenario
from symlab_tools.bench.timing import FIXED, timed_run

PATH = FOLDER / "golden.csv"
UPDATE = "symlab bench --update-golden"


def golden_row(scenario: Scenario, simulator: Path | None = None) -> dict[str, float]:
    """Runs the short form once; the columns FIXED: simulated_us and instructions."""
    row = timed_run(scenario.config, scenario.short, simulator)
    return {column: row[column] for column in FIXED}


def update_golden(simulator: Path | None = None, path: Path = PATH) -> Path:
    """Runs the short form of all scenarios and writes golden.csv; returns its path."""
    rows = [{"config": s.name, **golden_row(s, simulator)} for s in SCENARIOS]
    write_atomically(path, csv_bytes(pd.DataFrame(rows)))
    return path
