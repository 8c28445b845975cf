# SPDX-License-Identifier: MIT
"""Tables of a quick reproduction, small enough to commit and to compare with in every test."""

from pathlib import Path
from typing import Any

import pandas as pd
from symlab.files import write_all
from symlab.results.columns import texts
from symlab.results.csv_file import csv_bytes
from symlab.results.loading import read_runs
from symlab.results.table import frame
from symlab.runs import grid

from symlab_papers.gather import has_runs
from symlab_papers.paper import Paper, Part

TYPES = texts("sweep", "point", "quantity", "status", "value")  # value: as it is written
COUNTED = ("simulated_us", "instructions", "all_transactions", "bus_busy_us")
DIGITS = 9  # significant digits of a figure's data; the last ones of a fit depend on the host


def quick_tables(paper: Paper, parts: list[Part], folder: Path) -> list[Path]:
    """Writes <paper>-runs.csv and <paper>-data.csv beside `folder`, the same bytes on every host.
    The first has one row per run, the second one row per number in a figure's data. Both are made
    from the sweeps in `folder`. Returns their paths. Raises UserError, OutputError."""
    tables = [(part, read_runs(folder, part.name)) for part in parts if has_runs(folder, part)]
    rows = {
        f"{paper.name}-runs.csv": [row for part, runs in tables for row in _runs(part, runs)],
        f"{paper.name}-data.csv": [row for part, runs in tables for row in _data(part, runs)],
    }
    files = {name: csv_bytes(frame(of, [], []), TYPES) for name, of in rows.items()}
    return write_all(folder.parent, files)


def _runs(part: Part, runs: pd.DataFrame) -> list[dict[str, Any]]:
    keys = grid.short_names(key for axis in part.file.axes for key in axis.keys).values()
    return [
        {"sweep": part.name, "point": _label(row, keys), "status": row["status"]}
        | {name: row.get(name) for name in COUNTED}
        for row in runs.to_dict("records")
    ]


def _data(part: Part, runs: pd.DataFrame) -> list[dict[str, Any]]:
    """One row per number: sweep, point, quantity, value. Float columns of a figure's data are
    values, all others are keys of the point."""
    data = part.figure.series(runs)
    numbers = [name for name in data if pd.api.types.is_float_dtype(data[name])]
    keys = [name for name in data if name not in numbers]
    return [
        {"sweep": part.name, "point": _label(row, keys), "quantity": name}
        | {"value": f"{row[name]:.{DIGITS}g}"}
        for row in data.to_dict("records")
        for name in numbers
        if pd.notna(row[name])
    ]


def _label(row: dict[Any, Any], keys: Any) -> str:
    return " ".join(f"{key}={row[key]}" for key in keys if key in row)
