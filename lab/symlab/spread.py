# SPDX-License-Identifier: MIT
"""How much the numbers of a figure differ from run to run, by seed and start.

A simulation has no noise, so one run tells nothing of what chance did. At reduced size each point
is repeated with other seeds, and with an argument that no guest asks for but that takes each time
a letter longer to read, so that processors and bus start in other phases. Half the distance from
the least to the most, as part of the mean, is the spread; orderings at full size must exceed it.
"""

from pathlib import Path

import numpy as np
import pandas as pd

from symlab.errors import UserError
from symlab.paper import Part
from symlab.store import write_atomically
from symlab.table import csv_bytes

REPEATS = 5
AXIS = "run.seed, guest.args.start"
FILE = "spread.csv"
COLUMNS = ["sweep", "quantity", "point", "mean", "spread", "part"]
DIGITS = 6


def overrides(part: Part) -> dict[str, object]:
    """Config keys of the part's reduced sweep with repeats."""
    return {**part.figure.reduced, AXIS: [[n, "x" * n] for n in range(1, REPEATS + 1)]}


def measured(part: Part, data: pd.DataFrame) -> pd.DataFrame:
    """Columns `COLUMNS` of a figure's data over repeated runs; part is spread over mean."""
    y, spread = _columns(data)
    found = pd.DataFrame({"mean": data[y], "spread": data[spread]}).astype(float).round(DIGITS)
    found = found.assign(quantity=_quantities(data), point=_points(data))
    found = found[found["mean"] != 0].dropna()
    found["part"] = (found["spread"] / found["mean"].abs()).round(DIGITS)
    return found.assign(sweep=part.name)[COLUMNS]


def widened(part: Part, data: pd.DataFrame, spreads: pd.DataFrame) -> pd.DataFrame:
    """A figure's data with the spread measured at each point, if that is more than the data's own.

    A point that was not repeated has the largest of its quantity in the sweep.
    """
    of_sweep = spreads[spreads["sweep"] == part.name]
    if of_sweep.empty or data.empty:
        return data
    y, spread = _columns(data)
    known = of_sweep.set_index(["quantity", "point"])["part"].to_dict()
    largest = of_sweep.groupby("quantity")["part"].max().to_dict()
    points = zip(_quantities(data), _points(data), strict=True)
    parts = np.array([known.get((q, point), largest.get(q, 0.0)) for q, point in points])
    own, size = (data[name].to_numpy(float, na_value=np.nan) for name in (spread, y))
    return data.assign(**{spread: np.fmax(own, parts * np.abs(size))})


def load_spreads(folder: Path) -> pd.DataFrame:
    """What `write_spreads` wrote; without rows if it did not. Raises UserError."""
    path = folder / FILE
    if not path.is_file():
        return pd.DataFrame(columns=COLUMNS)
    try:
        return pd.read_csv(path)[COLUMNS]
    except (OSError, ValueError, KeyError) as error:
        raise UserError(f"{path}: cannot be read: {error}; measure it with --spread") from error


def write_spreads(folder: Path, tables: list[pd.DataFrame]) -> Path:
    """Of these sweeps, in place of what was measured of them before. Raises LabError."""
    path = folder / FILE
    before = load_spreads(folder)
    new = pd.concat(tables)
    kept = before[~before["sweep"].isin(new["sweep"])]
    both = pd.concat([table for table in (kept, new) if len(table)])
    write_atomically(path, csv_bytes(both.sort_values("sweep", kind="stable")))
    return path


def _columns(data: pd.DataFrame) -> tuple[str, str]:
    """The spread's column, and the one it is of."""
    names = list(data.columns)
    at = next(n for n, name in enumerate(names) if name.startswith("spread"))
    return names[at - 1], names[at]


def _quantities(data: pd.DataFrame) -> list[str]:
    """What each row's number is of: the column `quantity`, or the number's own."""
    return list(data["quantity"]) if "quantity" in data else [_columns(data)[0]] * len(data)


def _points(data: pd.DataFrame) -> list[str]:
    """What tells the rows apart: the columns to the left, in words. Sizes that are measured
    themselves (the section of Figure 4.2) have other digits in other runs."""
    y, _ = _columns(data)
    keys = data.iloc[:, : list(data.columns).index(y)].drop(columns="quantity", errors="ignore")
    return [
        " ".join(f"{k}={v:.2g}" if isinstance(v, float) else f"{k}={v}" for k, v in row.items())
        for row in keys.to_dict("records")
    ]
