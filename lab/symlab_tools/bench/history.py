# SPDX-License-Identifier: MIT
"""The speed of the simulator over time: history.csv, a row for each measurement and scenario.

`symlab bench` appends rows and never changes earlier ones.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd
from symlab.files import write_all
from symlab.results.columns import texts
from symlab.results.csv_file import csv_bytes, read_csv

from symlab_tools.bench.scenarios import NORMALISED, SCENARIOS, SLOWDOWN
from symlab_tools.bench.timing import FIXED, WAKE

FILE = "history.csv"
OF_HOST = ["commit", "changed_since_commit", "date", "cpu", "cores", "compiler"]
WAKES = [WAKE, "kernel_wake_least_ns", "kernel_wake_most_ns"]
COLUMNS = [*OF_HOST, "config", "runs", *FIXED, "cpu_s", SLOWDOWN, *WAKES, NORMALISED]
TYPES = texts("commit", "date", "cpu", "compiler", "config")


def rows(speeds: pd.DataFrame, runs: pd.DataFrame, facts: Mapping[str, Any]) -> pd.DataFrame:
    """The rows of a measurement, with COLUMNS; none for configs that are no scenario. `speeds` and
    `runs`: from `timing.judged` and `timing.measure`. `facts`: `host_facts`."""
    wakes = runs.groupby("config")[WAKE]
    least, most = (speeds["config"].map(of).round(4) for of in (wakes.min(), wakes.max()))
    known = {name: facts[name] for name in OF_HOST} | dict(
        zip(WAKES[1:], (least, most), strict=True)
    )
    names = [scenario.name for scenario in SCENARIOS]
    return speeds.assign(**known).loc[speeds["config"].isin(names), COLUMNS]


def append(folder: Path, new: pd.DataFrame) -> Path:
    """Appends rows to history.csv in `folder`, which may be missing. Raises LabError."""
    text = csv_bytes(new, TYPES)
    if (path := folder / FILE).is_file():
        load(folder)  # a file with other columns is an error
        text = path.read_bytes() + text.partition(b"\n")[2]
    return write_all(folder, {FILE: text})[0]


def load(folder: Path) -> pd.DataFrame:
    """The table, in order of the file. Raises UserError if it is missing or damaged."""
    path = folder / FILE
    return read_csv(path, TYPES, "`symlab bench` writes it", COLUMNS)
