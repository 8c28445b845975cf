# SPDX-License-Identifier: MIT
"""The one reader and the one writer of CSV files. No type is guessed from what a column contains.

The reader gets the type of each column (columns.py). In columns without one, such as swept keys
and arguments, each cell says what it is:

    20         a whole number          read     text
    0.5, inf   a number                "20"     text: in quotes, whatever it looks like
    True       a truth value           (empty)  missing; "" is a text without characters

So a lock called 1e5 remains a lock, and an argument 007 that is a text remains a text.
"""

import csv
import io
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from symlab.errors import UserError
from symlab.results.columns import Type, of_sweep

TypeOf = Callable[[str], Type | None]

_WHOLE = re.compile(r"[-+]?\d+", re.ASCII)
_NUMBER = re.compile(r"[-+]?(?:(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|inf)", re.ASCII)
_TRUTH = {"True": True, "False": False}
_SPECIAL = re.compile(r'[,"\r\n]')
# A cell in quotes; those inside are doubled.
_QUOTED = re.compile(r'(?:\A|(?<=[,\r\n]))"([^"]*(?:""[^"]*)*)"')
_PRIVATE_USE = range(0xE000, 0xF900)  # characters that Unicode leaves to programs
_DTYPES: dict[Type | None, Any] = {
    Type.TEXT: object,
    Type.NUMBER: "float64",
    Type.COUNT: "Int64",
    None: object,
}


def read_csv(
    path: Path, type_of: TypeOf, advice: str = "", columns: Sequence[str] | None = None
) -> pd.DataFrame:
    """The table in a CSV. `type_of`: the type of a column, or None if each cell says its own.
    `columns`: those that it must have; the others are dropped.

    A missing number is NaN, a missing count NA; all else that is missing is None, and so is an
    empty cell of a column of texts. Raises UserError, which ends with `advice`.
    """
    try:
        table = _table(path.read_bytes(), type_of)
        if lacking := [name for name in columns or () if name not in table]:
            raise ValueError(f"there is no column {', '.join(lacking)}")
        return table if columns is None else table[[*columns]]
    except OSError as error:
        wrong = error.strerror or str(error)
    except UnicodeDecodeError:
        wrong = "it is not UTF-8 text"
    except ValueError as error:
        wrong = str(error)
    raise UserError(f"{path}: cannot be read as CSV: {wrong}{advice and f'; {advice}'}")


def csv_bytes(table: pd.DataFrame, type_of: TypeOf = of_sweep) -> bytes:
    """The table as CSV, the same bytes on every host: shortest exact floats, line feeds, UTF-8.
    `read_csv` with the same `type_of` gives the table back, with None for empty texts in columns
    that are declared to be texts."""
    names = [str(name) for name in table.columns]
    columns = [
        [_written(value, type_of(name)) for value in table.iloc[:, at].tolist()]
        for at, name in enumerate(names)
    ]
    rows = [map(_escaped, names), *zip(*columns, strict=True)]
    return "".join(",".join(cells) + "\n" for cells in rows).encode()


def typed(values: list[Any]) -> pd.Series:
    """The values as a column: of whole numbers (Int64, also with gaps), of floats, or as they are.
    None is a gap."""
    present = [value for value in values if value is not None]
    if present and all(_is_int64(v) for v in present):
        return pd.Series(values, dtype="Int64")
    if present and all(isinstance(v, int | float) and not isinstance(v, bool) for v in present):
        return pd.Series(values, dtype="float64")
    return pd.Series(values, dtype="object")


def _table(data: bytes, type_of: TypeOf) -> pd.DataFrame:
    """Raises ValueError, whose text says what is wrong."""
    text, mark = data.decode("utf-8-sig"), ""
    if '"' in text:  # pandas drops the quotes, so a mark in the cell says that there were some
        mark = next(chr(code) for code in _PRIVATE_USE if chr(code) not in text)
        text = _QUOTED.sub(rf'"{mark}\1"', text)
    names = [name.removeprefix(mark) for name in _head(text)]
    types = [type_of(name) for name in names]
    try:
        cells = _cells(text, types)
    except (ValueError, TypeError, OverflowError):
        raise ValueError(_not_a_number(_cells(text, [None] * len(names)), names, types)) from None
    columns = (_column(cells[at], kind, mark) for at, kind in enumerate(types))
    return pd.DataFrame(dict(zip(names, columns, strict=True)), columns=names)


def _head(text: str) -> list[str]:
    """The names of the columns. Raises ValueError if one is there twice, or if a row does not have
    as many cells."""
    rows = (row for row in csv.reader(io.StringIO(text, newline="")) if row)
    try:
        if (head := next(rows, None)) is None:
            raise ValueError("it is empty")
        for number, row in enumerate(rows, 1):
            if len(row) != len(head):
                raise ValueError(f"row {number} has {len(row)} cells, and the head has {len(head)}")
    except csv.Error as error:
        raise ValueError(f"{error}") from error
    if len(set(head)) < len(head):
        raise ValueError(f"two columns are called {next(n for n in head if head.count(n) > 1)}")
    return head


def _cells(text: str, types: list[Type | None]) -> pd.DataFrame:
    """The cells by row and number of the column: numbers of the declared types, others as text."""
    gaps: Any = {at: [""] for at, kind in enumerate(types) if kind in (Type.NUMBER, Type.COUNT)}
    return pd.read_csv(
        io.StringIO(text),
        header=0,
        names=range(len(types)),
        index_col=False,
        dtype={at: _DTYPES[kind] for at, kind in enumerate(types)},
        na_values=gaps,
        keep_default_na=False,
    )


def _column(cells: pd.Series, kind: Type | None, mark: str) -> pd.Series:
    if kind is Type.COUNT:
        return cells if cells.hasnans else cells.astype("int64")
    if kind is Type.NUMBER:
        return cells
    if kind is Type.TEXT:
        return pd.Series([_text(cell, mark) for cell in cells], dtype="object")
    known = {cell: _value(cell, mark) for cell in cells.unique()}
    return typed([known[cell] for cell in cells])


def _text(cell: str, mark: str) -> str | None:
    if mark and cell.startswith(mark):
        return cell[len(mark) :]
    return cell or None


def _value(cell: str, mark: str) -> str | int | float | bool | None:
    """What the cell says that it is."""
    if (mark and cell.startswith(mark)) or cell == "":
        return _text(cell, mark)
    if _WHOLE.fullmatch(cell) and len(cell) < 20:
        return int(cell)
    if _NUMBER.fullmatch(cell):
        return float(cell)
    return _TRUTH.get(cell, cell)


def _written(value: Any, kind: Type | None) -> str:
    """The cell of a value in a column of this type."""
    if not isinstance(value, str):
        return "" if pd.isna(value) else str(value)
    looks_otherwise = value == "" or value in _TRUTH or _NUMBER.fullmatch(value)
    return f'"{value}"' if looks_otherwise and kind is not Type.TEXT else _escaped(value)


def _escaped(text: str) -> str:
    return '"' + text.replace('"', '""') + '"' if _SPECIAL.search(text) else text


def _not_a_number(cells: pd.DataFrame, names: list[str], types: list[Type | None]) -> str:
    """Names the first cell that its column's type does not allow."""
    forms = {Type.NUMBER: _NUMBER, Type.COUNT: _WHOLE}
    for at, kind in enumerate(types):
        if kind is None or (form := forms.get(kind)) is None:
            continue
        for row, cell in enumerate(cells[at], 1):
            if cell and not form.fullmatch(cell):
                return f"column {names[at]} must have numbers only, and row {row} has {cell!r}"
    return "a number has too many digits"


def _is_int64(value: Any) -> bool:
    whole = isinstance(value, int) and not isinstance(value, bool)
    return whole and -(2**63) <= value < 2**63
