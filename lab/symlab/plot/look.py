# SPDX-License-Identifier: MIT
"""What a person wants of a figure: the columns of a table of runs that are plotted, and the keys of
[figure] in the config of a sweep.
"""

import difflib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from symlab.errors import UserError

if TYPE_CHECKING:  # the help of `symlab sweep` imports this module, and pandas takes a second
    import pandas as pd

LOG = ("none", "x", "y", "both")
# The keys of [figure]: what fits, and the meaning.
KEYS = {
    "name": (
        "a string",
        "Figure of symlab that draws the sweep of this file; empty: a plain plot.",
    ),
    "title": ("a string", "Title of the plain plot; empty: the name of the sweep."),
    "y": ("a string", "Column of the sweep's table that the plain plot draws; empty: elapsed_us."),
    "log": ('"none", "x", "y" or "both"', "Which axes of the plain plot are logarithmic."),
    "own": (
        "a string",
        "Curves that the plain plot draws thicker than the others: their names, separated by "
        "commas.",
    ),
}


@dataclass(frozen=True)
class Columns:
    """Which columns of a table of runs are plotted. `x`: None, the number of the run. `by`: each
    combination of their values is a curve."""

    x: str | None
    y: str
    by: tuple[str, ...] = ()


def guessed(runs: "pd.DataFrame", keys: list[str], y: str = "") -> Columns:
    """The columns of the plain plot. `y`: empty, elapsed_us or else simulated_us. x is the first
    numeric column of `keys` that varies. If none but the seed is numeric, it is the seed. Curves
    are told apart by what varies; if nothing does, by all other `keys`."""
    from symlab.plot.repeats import SEED
    from symlab.results.table import is_number

    varied = {key for key in keys if key in runs and runs[key].nunique() > 1}
    numeric = [key for key in keys if key in runs and is_number(runs[key])]
    x = min(numeric, key=lambda key: (key == SEED, key not in varied), default=None)
    others = tuple(key for key in keys if key not in (x, SEED))
    by = tuple(key for key in others if key in varied) or others
    first = next((name for name in ("elapsed_us", "simulated_us") if name in runs), "simulated_us")
    return Columns(x, y or first, by)


def existing(table: "pd.DataFrame", name: str, where: str = "") -> str:
    """`name`. Raises UserError, which begins with `where`, if the table has no such column."""
    if name in table:
        return name
    names = [str(column) for column in table.columns]
    nearest = difflib.get_close_matches(name, names, 1)
    hint = f"did you mean {nearest[0]}? The" if nearest else "the"
    raise UserError(f"{where}there is no column {name}; {hint} columns are {', '.join(names)}")


def numeric(table: "pd.DataFrame", name: str, where: str = "") -> str:
    """`name`. Raises UserError if the table has no such column, or no numbers in it."""
    from symlab.results.table import is_number

    if not is_number(table[existing(table, name, where)]):
        others = ", ".join(str(column) for column in table if is_number(table[column]))
        raise UserError(f"{where}column {name} has no numbers; the columns with numbers: {others}")
    return name


@dataclass(frozen=True)
class Look:
    """`title`: of the figure. Of the plain plot alone: `y`, its column; `log`, its logarithmic
    axes, one of LOG; `own`, the curves that are drawn thicker than the others. Empty: not given.
    `where`: the file, for messages; without one, options are named."""

    title: str = ""
    y: str = ""
    log: str = "none"
    own: tuple[str, ...] = ()
    where: str = ""

    def is_log(self, axis: str) -> bool:
        return self.log in (axis, "both")

    def place(self, key: str) -> str:
        """Where a value is from, for messages."""
        return f"{self.where}: figure.{key}" if self.where else f"--{key}"


def look(table: Mapping[str, Any], where: str, places: Mapping[str, str] | None = None) -> Look:
    """The look that the table [figure] describes. Raises UserError that names the key. Tables in
    it, such as [figure.plot], describe the figure `name`, for whoever finds it by that. `places`:
    dotted key -> FILE:LINE, for messages; `where` stands for the others."""

    def place(key: str) -> str:
        return (places or {}).get(f"figure.{key}", where)

    table = {key: value for key, value in table.items() if not isinstance(value, Mapping)}
    for key, value in table.items():
        at = place(key)
        if key not in KEYS:
            known = ", ".join(KEYS)
            raise UserError(f"{at}: figure.{key}: there is no such key; there are {known}")
        if not isinstance(value, str):
            raise UserError(f"{at}: figure.{key}: {value!r} does not fit; it must be a string")
    given = {key: value for key, value in table.items() if value and key not in ("name", "own")}
    found = Look(**given, own=names(table.get("own", "")), where=where)
    check_log(replace(found, where=place("log")))
    return found


def check_log(wanted: Look) -> None:
    if wanted.log not in LOG:
        fits = ", ".join(f'"{one}"' for one in LOG)
        raise UserError(f'{wanted.place("log")}: "{wanted.log}" does not fit; it must be {fits}')


def names(text: str) -> tuple[str, ...]:
    """The names in a list with commas. Raises UserError if one is missing."""
    found = tuple(name.strip() for name in text.split(",")) if text.strip() else ()
    if "" in found:
        raise UserError(f"{text}: a value is missing beside a comma")
    return found
