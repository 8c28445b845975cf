# SPDX-License-Identifier: MIT
"""A sweep's folder, read for the report: the row a run that `symlab sweep` wrote.

Raises UserError if no sweep has left its tables there.
"""

from dataclasses import dataclass
from pathlib import Path

import pandas as pd
from pandas.api.types import is_bool_dtype, is_numeric_dtype

from symlab.errors import UserError
from symlab.table import HOST_COLUMNS

SEED = "seed"  # the column of run.seed: points that differ in it only are repeats


@dataclass(frozen=True)
class SweepData:
    """`keys`: swept columns in the sweep's order. `runs`: a row a run; `folders`: its folder,
    relative to the sweep's."""

    name: str
    keys: list[str]
    runs: pd.DataFrame
    folders: list[str]

    @property
    def finished(self) -> pd.DataFrame:
        return self.runs[self.runs["status"] == "finished"]

    @property
    def x(self) -> str | None:
        """The first swept column of numbers; None if there is none."""
        numbers = [k for k in self.keys if k != SEED and is_number(self.runs[k])]
        return numbers[0] if numbers else None

    @property
    def curves(self) -> list[str]:
        """Swept columns that tell one curve from another."""
        return [key for key in self.keys if key not in (self.x, SEED)]

    @property
    def metrics(self) -> list[str]:
        """Measured columns of numbers that are not the same in every finished run."""
        done = self.finished
        measured = [c for c in done if c not in self.keys and is_number(done[c])]
        return [c for c in measured if done[c].nunique() > 1]


def is_number(column: pd.Series) -> bool:
    return is_numeric_dtype(column) and not is_bool_dtype(column)


def is_sweep(folder: Path) -> bool:
    return (folder / "runs").is_dir() or _host_table(folder) is not None


def load_sweep(folder: Path) -> SweepData:
    host_file = _host_table(folder)
    if host_file is None:
        raise UserError(
            f"{folder}: no table of a sweep (NAME-host.csv) is here; sweep into it to its end"
        )
    name = host_file.name.removesuffix("-host.csv")
    # Of a figure with data of its own, NAME.csv is that, and NAME-runs.csv has the row a run.
    tables = [host_file.with_name(f"{name}{end}.csv") for end in ("-runs", "")]
    table = next((path for path in tables if path.is_file()), tables[-1])
    runs, host = _read(table), _read(host_file)
    if len(runs) != len(host):
        raise UserError(f"{table}: has not the rows of {host_file.name}; sweep once more")
    keys = [c for c in host if c not in ("status", *HOST_COLUMNS)]
    folders = [f"runs/{run}" if isinstance(run, str) else "" for run in host["run"]]
    return SweepData(name, keys, runs, folders)


def _host_table(folder: Path) -> Path | None:
    """Sweeps of a group write their tables into the folder above their own."""
    above = folder.parent / f"{folder.name}-host.csv"
    found = [*sorted(folder.glob("*-host.csv")), *([above] if above.is_file() else [])]
    return found[0] if found else None


def _read(path: Path) -> pd.DataFrame:
    try:
        return pd.read_csv(path)
    except (OSError, ValueError) as error:
        raise UserError(f"{path}: cannot be read as CSV: {error}; sweep once more") from error
