# SPDX-License-Identifier: MIT
"""The columns of a table of runs that are plotted: checked, and guessed if they are not given."""

import difflib
from dataclasses import dataclass

import pandas as pd

from symlab.errors import UserError
from symlab.plot.repeats import SEED
from symlab.results.table import is_number


@dataclass(frozen=True)
class Columns:
    """Which columns of a table of runs are plotted. `x`: None, the number of the run. `by`: each
    combination of their values is a curve."""

    x: str | None
    y: str
    by: tuple[str, ...] = ()


def guessed(runs: pd.DataFrame, keys: list[str], y: str = "") -> Columns:
    """The columns of the plain plot. `y`: empty, elapsed_us or else simulated_us.

    x is the first numeric column of `keys` that varies. If none but the seed is numeric, it is the
    seed. Curves are told apart by what varies; if nothing does, by all other `keys`.
    """
    varied = {key for key in keys if key in runs and runs[key].nunique() > 1}
    numeric = [key for key in keys if key in runs and is_number(runs[key])]
    x = min(numeric, key=lambda key: (key == SEED, key not in varied), default=None)
    others = tuple(key for key in keys if key not in (x, SEED))
    by = tuple(key for key in others if key in varied) or others
    first = next((name for name in ("elapsed_us", "simulated_us") if name in runs), "simulated_us")
    return Columns(x, y or first, by)


def existing(table: pd.DataFrame, name: str, where: str = "") -> str:
    """`name`. Raises UserError, which begins with `where`, if the table has no such column."""
    if name in table:
        return name
    names = [str(column) for column in table.columns]
    nearest = difflib.get_close_matches(name, names, 1)
    hint = f"did you mean {nearest[0]}? The" if nearest else "the"
    raise UserError(f"{where}there is no column {name}; {hint} columns are {', '.join(names)}")


def numeric(table: pd.DataFrame, name: str, where: str = "") -> str:
    """`name`. Raises UserError if the table has no such column, or no numbers in it."""
    if not is_number(table[existing(table, name, where)]):
        others = ", ".join(str(column) for column in table if is_number(table[column]))
        raise UserError(f"{where}column {name} has no numbers; the columns with numbers: {others}")
    return name
