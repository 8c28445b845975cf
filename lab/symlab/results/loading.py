# SPDX-License-Identifier: MIT
"""Reads the table of a sweep back from its results folder."""

from pathlib import Path

import pandas as pd

from symlab.errors import UserError
from symlab.results.columns import HOST_COLUMNS, of_sweep
from symlab.results.csv_file import read_csv
from symlab.results.public import public

RUNS, HOST, PLAIN = "-runs.csv", "-host.csv", ".csv"


def load(folder: str | Path) -> pd.DataFrame:
    """Reads the frame that the last complete sweep into a folder returned.

    Args:
        folder: `results/mine`, or for a sweep of a group `results/ALL/figure-4.1`.

    Returns:
        A row for each run, as `sweep` returns it; docs/reference/sweep-table.md lists the columns
            with units. The columns that depend on the host are there
            only if <name>-host.csv exists.

    Raises:
        UserError: there is no table of a sweep, or there are several.
    """
    directory, name = find_tables(Path(folder))
    frame = read_runs(directory, name)
    host = directory / (name + HOST)
    if host.is_file():
        more = read_table(host)
        if len(more) != len(frame):
            raise UserError(f"{host}: is of another sweep than {name}'s table; run the sweep again")
        if lacking := [column for column in HOST_COLUMNS if column not in more]:
            raise UserError(f"{host}: has no column {', '.join(lacking)}; run the sweep again")
        for column in HOST_COLUMNS:
            frame[column] = more[column]
    return public(frame, directory, name)


def read_runs(directory: Path, name: str) -> pd.DataFrame:
    """The runs of the sweep `name` in `directory`, without columns that depend on the host. Raises
    UserError if the table cannot be read."""
    runs = directory / (name + RUNS)
    return read_table(runs if runs.is_file() else directory / (name + PLAIN))


def find_tables(folder: Path) -> tuple[Path, str]:
    """Folder of a sweep's tables and the common beginning of their file names. `folder`: see
    `load`; of several sweeps in one folder, `FOLDER/NAME` names one. Tables in the folder go before
    those beside it. Raises UserError if there are none, or several."""
    names = {path.name.removesuffix(HOST) for path in folder.glob(f"*{HOST}")}
    if not names and (folder / (folder.name + PLAIN)).is_file():  # published without -host.csv
        names = {folder.name}
    if len(names) == 1:
        return folder, names.pop()
    if names:
        each = ", ".join(str(folder / name) for name in sorted(names))
        raise UserError(f"{folder}: has the tables of several sweeps; name one: {each}")
    if any((folder.parent / (folder.name + end)).is_file() for end in (RUNS, PLAIN)):
        return folder.parent, folder.name
    raise UserError(f"{folder}: no table of a sweep is there; a sweep writes it when it ends")


def read_table(path: Path, advice: str = "") -> pd.DataFrame:
    """The table of a sweep, or any CSV, as `table.frame` made it. Raises UserError, which ends with
    `advice`."""
    return read_csv(path, of_sweep, advice)
