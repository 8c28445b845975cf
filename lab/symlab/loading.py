# SPDX-License-Identifier: MIT
"""The table of a sweep, read back from its folder of results."""

from pathlib import Path

import pandas as pd

from symlab.errors import UserError
from symlab.table import HOST_COLUMNS

RUNS, HOST, PLAIN = "-runs.csv", "-host.csv", ".csv"


def load(folder: str | Path) -> pd.DataFrame:
    """The frame of the last whole sweep into `folder`, as `sweep` returned it: a row a run.

    `folder`: `results/mine`, or of a group's sweep `results/ALL/figure-4.1`. Columns: see `sweep`;
    docs/sweeps.md has each with its unit. Those of the host are only there if <name>-host.csv is.
    Raises UserError if there is no table of a sweep, or there are several.
    """
    directory, name = _table(Path(folder))
    frame = read_runs(directory, name)
    host = directory / (name + HOST)
    if host.is_file():
        more = _read(host)
        if len(more) != len(frame):
            raise UserError(f"{host}: is of another sweep than {name}'s table; sweep once more")
        for column in HOST_COLUMNS:
            frame[column] = more[column]
    return frame


def read_runs(directory: Path, name: str) -> pd.DataFrame:
    """The runs of the sweep `name` without what depends on the host. Raises UserError."""
    runs = directory / (name + RUNS)
    return _read(runs if runs.is_file() else directory / (name + PLAIN))


def _table(folder: Path) -> tuple[Path, str]:
    """Where the tables lie and how their names begin."""
    names = {path.name.removesuffix(HOST) for path in folder.glob(f"*{HOST}")}
    if not names and (folder / (folder.name + PLAIN)).is_file():  # published without the host's
        names = {folder.name}
    if len(names) == 1:
        return folder, names.pop()
    if names:
        each = ", ".join(str(folder / name) for name in sorted(names))
        raise UserError(f"{folder}: has the tables of several sweeps; name one: {each}")
    if any((folder.parent / (folder.name + end)).is_file() for end in (RUNS, PLAIN)):
        return folder.parent, folder.name
    raise UserError(f"{folder}: no table of a sweep is there; a sweep writes it when it ends")


def _read(path: Path) -> pd.DataFrame:
    """With the types `table.frame` gives: whole numbers stay whole, what is missing is None."""
    try:
        frame = pd.read_csv(
            path,
            dtype_backend="numpy_nullable",
            keep_default_na=False,
            na_values=[""],
        )
    except (OSError, ValueError) as error:
        raise UserError(f"{path}: cannot be read as CSV: {error}") from error
    for name, column in frame.items():
        if column.dtype == "Float64":
            frame[name] = column.astype("float64")
        elif column.dtype != "Int64" or column.isna().all():
            frame[name] = column.astype("object").where(column.notna(), None)
    return frame
