# SPDX-License-Identifier: MIT
"""What the modules of the pages share: CSVs of results/, tables in Markdown, number formats."""

import json
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd
from symlab.errors import UserError, reason
from symlab.plot.curves import chosen
from symlab.results.loading import read_table
from symlab.results.markdown import table

from symlab_papers.paper import find_paper, parts, results_of

Shown = str | Callable[[float], str]  # how a number is written: a format, such as .1f, or by whom
Forms = Shown | Mapping[Any, Shown]  # of all numbers of a table, or by row
Titles = Mapping[Any, str]  # key of a row or column -> its title
# A frame of pandas. Its stubs say of each value that it may be one of 20 types, such as bytes or a
# date; those that the lab writes are texts and numbers.
Frame = Any
Keys = str | tuple[str, ...]  # a column, or several whose values together are a key


class Data:
    """The results of papers and of other groups of sweeps. Each file is read once. `out`: as for
    `results_of`.

    `csv`: a table by its group and name, such as "ALL/figure-4.1".
    `claims`: those of a paper, with verdicts. Both raise UserError if the file cannot be read.
    """

    def __init__(self, out: Path | None = None) -> None:
        self.folder: Callable[[str], Path] = lambda group: results_of(group, out)
        self.csv: Callable[[str], Frame] = cache(self._csv)
        self.claims = cache(self._claims)
        self._figures = cache(lambda: {p.name: p.figure for p in parts(find_paper("ALL"))})

    def figure(self, part: str, **where: object) -> Frame:
        """The data of the figure of a part of ALL, such as "figure-4.1": the rows with these values
        of columns. Raises UserError if a CSV cannot be read."""
        figure = self._figures()[part]
        table = self.csv(f"ALL/{part}")
        return chosen(table if figure.tidy else figure.series(table), **where)

    def curves(
        self, part: str, curve: Keys, x: Keys, value: str, **where: object
    ) -> Callable[..., float]:
        """`curves` of the data of a figure."""
        return curves(self.figure(part, **where), curve, x, value)

    def grid(
        self, corner: str, rows: Titles, columns: Titles | Iterable[Any],
        shown: Forms, part: str, row: Keys, column: Keys, value: str, **where: object,
    ) -> list[str]:  # fmt: skip
        """The `grid` of the data of a figure: its `value` by the columns `row` and `column`."""
        found = self.curves(part, row, column, value, **where)
        form = _forms(shown, rows)
        return grid(corner, rows, columns, lambda one, at: text(found(one, at), form[one]))

    def _csv(self, name: str) -> Frame:
        group, _, table = name.partition("/")
        return read_table(self.folder(group) / f"{table}.csv")

    def _claims(self, paper: str) -> list[dict[str, Any]]:
        path = self.folder(paper) / "claims.json"
        try:
            return list(json.loads(path.read_bytes())["claims"])
        except (OSError, ValueError) as error:
            raise UserError(f"{path}: no claims can be read: {reason(error)}") from error
        except KeyError as error:
            raise UserError(f"{path}: no claims can be read: there is no key {error}") from error


def significant(value: float, number: int = 3) -> str:
    """The value with this many significant digits, without an exponent."""
    rounded = float(f"{value:.{number}g}")
    return f"{rounded:.{max(0, number - len(str(int(abs(rounded)))))}f}"


def percent(part: float, after_point: int = 0) -> str:
    """A part of a whole in per cent, without the sign: 0.275 as 28."""
    return f"{100 * part:.{after_point}f}"


def text(value: float, shown: Shown) -> str:
    return format(value, shown).replace("%", " %") if isinstance(shown, str) else shown(value)


def curves(frame: pd.DataFrame, curve: Keys, x: Keys, value: str) -> Callable[..., float]:
    """The value of `frame` at a curve and an x, as a function of the two."""
    values = frame.set_index([*_tuple(curve), *_tuple(x)])[value]
    assert values.index.is_unique, f"{value} is not determined by {curve} and {x}"
    return lambda of, at: float(values.loc[(*_tuple(of), *_tuple(at))])


def _tuple(key: Any) -> tuple[Any, ...]:
    return key if isinstance(key, tuple) else (key,)


def grid(
    corner: str, rows: Titles, columns: Titles | Iterable[Any], cell: Callable[[Any, Any], str]
) -> list[str]:
    """The lines of a table. `columns`: also only the keys, which are then the titles. `corner`:
    title of the titles. `cell`: the text at the keys of row and column."""
    columns = columns if isinstance(columns, Mapping) else named(columns)
    body = ((title, *(cell(row, column) for column in columns)) for row, title in rows.items())
    return table((corner, *columns.values()), body)


def wide(
    corner: str, rows: Titles, columns: Titles | Iterable[Any], shown: Forms, frame: pd.DataFrame
) -> list[str]:
    """The `grid` of a frame on its side: `rows` are columns of the frame, `columns` its index."""
    form = _forms(shown, rows)
    return grid(corner, rows, columns, lambda name, at: text(frame.loc[at, name], form[name]))


def _forms(shown: Forms, rows: Titles) -> Mapping[Any, Shown]:
    return shown if isinstance(shown, Mapping) else dict.fromkeys(rows, shown)


def named(keys: Iterable[Any]) -> dict[Any, str]:
    """Titles for `grid` that are the keys themselves."""
    return {key: str(key) for key in keys}


def span(cases: Iterable[int]) -> str:
    """The least and the most of cases without a gap: `9 to 17`."""
    ordered = sorted(cases)
    assert ordered == list(range(ordered[0], ordered[-1] + 1)), f"there is a gap in {ordered}"
    return f"{ordered[0]} to {ordered[-1]}"
