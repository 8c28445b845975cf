# SPDX-License-Identifier: MIT
"""Run-to-run spread: how much a figure's numbers vary with the seed and the phase of the start.

A simulation has no noise, so a single run does not show how much of its numbers is chance. So each
point is repeated in short runs with different seeds. Each repeat also has a longer
`guest.args.start`, an argument that no guest uses. Reading it takes longer each time, so that
processors and bus start in another phase. The spread is half the distance between the smallest
and the largest value, as a part of the mean. Orderings at full size must exceed it.
"""

import numpy as np
import pandas as pd

from symlab_papers.kept_rows import SPREADS
from symlab_papers.paper import Part

REPEATS = 5
AXIS = "run.seed, guest.args.start"
DIGITS = 6


def overrides(part: Part) -> dict[str, object]:
    """Config key -> value or axis for the part's reduced sweep with REPEATS repeats per point."""
    return {**part.size("reduced"), AXIS: [[n, "x" * n] for n in range(1, REPEATS + 1)]}


def measured(part: Part, data: pd.DataFrame) -> pd.DataFrame:
    """The rows of SPREADS from a figure's `data` over repeated runs. Column part: spread / mean."""
    y, spread = _columns(data)
    found = pd.DataFrame({"mean": data[y], "spread": data[spread]}).astype(float).round(DIGITS)
    found = found.assign(sweep=part.name, quantity=_quantities(data), point=_points(data))
    found = found[found["mean"] != 0].dropna()
    return found.assign(part=(found["spread"] / found["mean"].abs()).round(DIGITS))[SPREADS.columns]


def widened(part: Part, data: pd.DataFrame, spreads: pd.DataFrame) -> pd.DataFrame:
    """The figure's `data` with the spread column raised to the spread in `spreads`. A point that
    was not repeated gets the largest relative spread of its quantity in the sweep."""
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


def _columns(data: pd.DataFrame) -> tuple[str, str]:
    """Names of the column with the values and of the column with their spread."""
    names = list(data.columns)
    at = next(n for n, name in enumerate(names) if name.startswith("spread"))
    return names[at - 1], names[at]


def _quantities(data: pd.DataFrame) -> list[str]:
    """Name of the quantity in each row: column `quantity`, or else the name of the value column."""
    return list(data["quantity"]) if "quantity" in data else [_columns(data)[0]] * len(data)


def _points(data: pd.DataFrame) -> list[str]:
    """The key of each row in words, from the columns to the left of the value. Numbers are rounded
    to two digits. Some keys are measured, such as the section's length in Figure 4.2, so their last
    digits differ between runs."""
    y, _ = _columns(data)
    keys = data.iloc[:, : list(data.columns).index(y)].drop(columns="quantity", errors="ignore")
    return [
        " ".join(f"{k}={v:.2g}" if isinstance(v, float) else f"{k}={v}" for k, v in row.items())
        for row in keys.to_dict("records")
    ]
