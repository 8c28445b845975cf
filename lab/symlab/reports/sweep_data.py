# SPDX-License-Identifier: MIT
"""Reads the tables in a sweep's folder for the report.

`load_sweep` raises UserError if no sweep has written its tables there.
"""

from dataclasses import dataclass, field
from pathlib import Path

import pandas as pd

from symlab.errors import UserError
from symlab.plot.look import Look, guessed, look
from symlab.plot.repeats import SEED
from symlab.results.columns import HOST_COLUMNS
from symlab.results.loading import HOST, PLAIN, RUNS, find_tables, read_table
from symlab.results.table import is_number
from symlab.results.toml_text import read_toml


@dataclass(frozen=True)
class SweepData:
    """The data of a sweep.

    `keys`: swept columns in the sweep's order. `runs`: one row per run. `folders`: the folder of
    each run, relative to the folder of `page`, "" if it has none. `page`: where the page about the
    sweep is written by default. `look`: what its config says about its figure, if that is in the
    folder, as it is after `symlab compare`.
    """

    name: str
    keys: list[str]
    runs: pd.DataFrame
    folders: list[str]
    page: Path
    look: Look = field(default_factory=Look)

    @property
    def finished(self) -> pd.DataFrame:
        return self.runs[self.runs["status"] == "finished"]

    @property
    def x(self) -> str | None:
        """The swept column with numbers that the plain plot has as x; None if there is none."""
        found = guessed(self.runs, self.keys).x
        return None if found == SEED else found

    @property
    def curves(self) -> list[str]:
        """The swept columns that distinguish curves, as in the plain plot."""
        return [*guessed(self.runs, self.keys).by]

    @property
    def metrics(self) -> list[str]:
        """The measured numeric columns whose values differ between finished runs."""
        done = self.finished
        measured = [c for c in map(str, done) if c not in self.keys and is_number(done[c])]
        return [c for c in measured if done[c].nunique() > 1]


def is_sweep(folder: Path) -> bool:
    """Whether `folder` is that of a sweep, or FOLDER/NAME names a sweep's tables."""
    if (folder / "summary.json").is_file():
        return False  # a run's folder in that of a sweep
    beside = (folder.parent / f"{folder.name}{end}" for end in (RUNS, HOST))
    tables = [*folder.glob(f"*{HOST}"), *(path for path in beside if path.is_file())]
    return (folder / "runs").is_dir() or bool(tables)


def load_sweep(folder: Path) -> SweepData:
    """Reads the last complete sweep into `folder`, or the sweep that FOLDER/NAME names. Raises
    UserError; also if several sweeps have their tables in the folder."""
    directory, name = find_tables(folder)
    table = directory / f"{name}{RUNS}"  # if there is one, NAME.csv has the data of a figure
    table = table if table.is_file() else directory / f"{name}{PLAIN}"
    host_file = directory / f"{name}{HOST}"
    runs, host = (_numpy(read_table(path, "run the sweep again")) for path in (table, host_file))
    if len(runs) != len(host):
        raise UserError(f"{table}: does not have the rows of {host_file.name}; run the sweep again")
    keys = [c for c in map(str, host) if c not in ("status", *HOST_COLUMNS)]
    folders = [f"runs/{run}" if isinstance(run, str) else "" for run in host["run"]]
    page = folder / "report.html" if folder.is_dir() else directory / f"{name}-report.html"
    return SweepData(name, keys, runs, folders, page, _look(directory / f"{name}.toml"))


def _numpy(table: pd.DataFrame) -> pd.DataFrame:
    """The table with numpy's whole numbers, which plotly can write; floats in columns with gaps."""
    whole = [name for name in table if table[name].dtype == "Int64"]
    return table.astype({n: "float64" if table[n].hasnans else "int64" for n in whole})


def _look(config: Path) -> Look:
    """What the config in the results folder says about the figure. Nothing if there is none, or if
    it was changed since and is wrong."""
    try:
        table = read_toml(config).get("figure", {})
        return look(table, str(config)) if isinstance(table, dict) else Look()
    except UserError:
        return Look()
