# SPDX-License-Identifier: MIT
"""Which version of symsim made each table of a paper's results: versions.csv.

One row per sweep. Columns: `sweep`, its name; `commit` of the tree that the simulator and the
guests were built from, with "-changed" behind it if the tree differed from it (runs/published.py).
"""

from pathlib import Path

import pandas as pd
from symlab.files import write_atomically
from symlab.results.columns import texts
from symlab.results.csv_file import csv_bytes, read_csv

FILE = "versions.csv"
COLUMNS = ["sweep", "commit"]
TYPES = texts(*COLUMNS)


def load_versions(folder: Path) -> dict[str, str]:
    """Sweep -> commit, from versions.csv in `folder`; empty if it is missing. Raises UserError."""
    path = folder / FILE
    if not path.is_file():
        return {}
    found = read_csv(path, TYPES, "make it again with symlab paper", COLUMNS)
    return dict(zip(found["sweep"], found["commit"], strict=True))


def record_version(folder: Path, sweep: str, commit: str) -> Path:
    """Writes the row of `sweep`, in place of its old one. Returns the path. Raises LabError."""
    rows = sorted({**load_versions(folder), sweep: commit}.items())
    path = folder / FILE
    write_atomically(path, csv_bytes(pd.DataFrame(rows, columns=COLUMNS), TYPES))
    return path
