# SPDX-License-Identifier: MIT
"""Plots columns of a table: of a sweep, or any CSV. What is not chosen is guessed."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import pandas as pd

from symlab.errors import UserError
from symlab.plot.columns import Columns, existing, guessed, numeric
from symlab.plot.figure import Figure
from symlab.plot.generic import draw, series
from symlab.plot.look import Look, check_log
from symlab.plot.render import save_figure
from symlab.plot.repeats import SEED
from symlab.results.columns import HOST_COLUMNS
from symlab.results.loading import find_tables, read_runs, read_table
from symlab.results.table import is_number

FIRST_MEASURED = "simulated_us"  # of the table of a sweep; the swept columns are left of it

MOST_NAMED = 20  # values that a message lists


def plot_table(
    source: Path,
    x: str | None = None,
    y: str | None = None,
    by: Sequence[str] = (),
    where: Sequence[tuple[str, str]] = (),
    out: Path | None = None,
    look: Look | None = None,
) -> tuple[Columns, list[Path]]:
    """Draws y over x with a curve for each combination of the columns `by`, as SVG and PNG.

    `source`: a CSV, or the folder of a sweep. `where`: (column, value) pairs; only rows that have
    these values are drawn. `out`: path of the figure, its ending does not matter; default
    <table>-<y> beside the table. `look`: title and axes; its y is not used. Returns the columns and
    the paths. Raises UserError, OutputError.
    """
    wanted = look or Look()
    check_log(wanted)
    folder, name, table = _read(source)
    for column, value in where:
        values = table[existing(table, column)].astype(str)
        if not (values == value).any():
            present = ", ".join(sorted(set(values))[:MOST_NAMED])
            raise UserError(f"--where {column}={value}: no row has that value; there are {present}")
        table = table[values == value]
    columns = choose(table, x, y, by)
    if "status" not in table:
        table = table.assign(status="finished")
    target = out.with_suffix("") if out else folder / f"{name}-{columns.y}"
    drawn = partial(draw, look=replace(wanted, title=wanted.title or name))
    figure = Figure(lambda runs: series(runs, columns), drawn, failures=None)
    return columns, save_figure(figure, table, target.parent, target.name)


def choose(
    table: pd.DataFrame, x: str | None = None, y: str | None = None, by: Sequence[str] = ()
) -> Columns:
    """The columns to plot. Those that are not given are guessed from what varies in the table.

    Raises UserError that names the columns if one does not exist or has no numbers.
    """
    columns = list(table.columns)
    measured = FIRST_MEASURED in columns
    keys = columns[: columns.index(FIRST_MEASURED)] if measured else columns
    if y is None:
        y = guessed(table, []).y if measured else _last_numbers(table, exclude=x)
    for column in (y, *([x] if x else [])):
        numeric(table, column)
    keys = [key for key in keys if key not in (y, "status", *HOST_COLUMNS)]
    keys = [key for key in keys if table[key].nunique() > 1 and not key.startswith("spread")]
    x = x or guessed(table, keys).x
    others = tuple(key for key in keys if key not in (x, SEED))
    return Columns(x, y, tuple(existing(table, key) for key in by) or others)


def _read(source: Path) -> tuple[Path, str, pd.DataFrame]:
    """Folder, name without ending, and content of the table."""
    if source.suffix == ".csv":
        return source.parent, source.stem, read_table(source)
    folder, name = find_tables(source)
    return folder, name, read_runs(folder, name)


def _last_numbers(table: pd.DataFrame, exclude: str | None) -> str:
    """The last column of numbers, which in a table of results is what was measured."""
    numeric = [str(c) for c in table.columns if is_number(table[c]) and c != exclude]
    measured = [name for name in numeric if not name.startswith("spread")]
    if not measured:
        raise UserError("the table has no column of numbers to plot")
    return measured[-1]
