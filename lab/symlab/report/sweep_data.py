# SPDX-License-Identifier: MIT
"""Reads the tables in a sweep's folder for the report.

`load_sweep` raises UserError if no sweep has written its tables there.
"""

from dataclasses import dataclass
from pathlib import Path

import pandas as pd
from pandas.api.types import is_bool_dtype, is_numeric_dtype

from symlab.errors import UserError
from symlab.table import HOST_COLUMNS

SEED = "seed"  # the column of run.seed; points that differ only in it are repeats


@dataclass(frozen=True)
class SweepData:
    """The data of a sweep.

    `keys`: swept columns in the sweep's order. `runs`: one row per run. `folders`: the folder of
    each run relative to that of the sweep, "" if it has none.
    """

    name: str
    keys: list[str]
    runs: pd.DataFrame
    folders: list[str]

    @property
    def finished(self) -> pd.DataFrame:
        return self.runs[self.runs["status"] == "finished"]

    @property
    def x(self) -> str | None:
        """The first swept column with numbers, other than the seed; None if there is none."""
        numbers = [k for k in self.keys if k != SEED and is_number(self.runs[k])]
        return numbers[0] if numbers else None

    @property
    def curves(self) -> list[str]:
        """The swept columns that distinguish curves: all but x and the seed."""
        return [key for key in self.keys if key not in (self.x, SEED)]

    @property
    def metrics(self) -> list[str]:
        """The measured numeric columns whose values differ between finished runs."""
        done = self.finished
        measured = [c for c in done if c not in self.keys and is_number(done[c])]
        return [c for c in measured if done[c].nunique() > 1]


def is_number(column: pd.Series) -> bool:
    return is_numeric_dtype(column) and not is_bool_dtype(column)


def is_sweep(folder: Path) -> bool:
    """Whether `folder` has a folder `runs` or a table of a sweep."""
    return (folder / "runs").is_dir() or _host_table(folder) is not None


def load_sweep(folder: Path) -> SweepData:
    """Reads the last complete sweep into `folder`. Raises UserError."""
    host_file = _host_table(folder)
    if host_file is None:
        raise UserError(
            f"{folder}: no table of a sweep (NAME-host.csv) is here; sweep into it to its end"
        )
    name = host_file.name.removesuffix("-host.csv")
    # If the figure has tidy data, they are in NAME.csv, and the table of runs is NAME-runs.csv.
    tables = [host_file.with_name(f"{name}{end}.csv") for end in ("-runs", "")]
    table = next((path for path in tables if path.is_file()), tables[-1])
    runs, host = _read(table), _read(host_file)
    if len(runs) != len(host):
        raise UserError(f"{table}: has not the rows of {host_file.name}; sweep once more")
    keys = [c for c in host if c not in ("status", *HOST_COLUMNS)]
    folders = [f"runs/{run}" if isinstance(run, str) else "" for run in host["run"]]
    return SweepData(name, keys, runs, folders)


def _host_table(folder: Path) -> Path | None:
    """Path of <name>-host.csv; a sweep of a group writes it into the parent of its folder."""
    above = folder.parent / f"{folder.name}-host.csv"
    found = [*sorted(folder.glob("*-host.csv")), *([above] if above.is_file() else [])]
    return found[0] if found else None


def _read(path: Path) -> pd.DataFrame:
    try:
        return pd.read_csv(path)
    except (OSError, ValueError) as error:
        raise UserError(f"{path}: cannot be read as CSV: {error}; sweep once more") from error
