# SPDX-License-Identifier: MIT
"""Repeated runs: the mean of a quantity and its spread.

Repeats are runs that differ only in the seed. The spread is half the distance from the smallest to
the largest value, in the unit of the quantity. A single run has the spread 0. In all tables the
column with the spread is right of that with the mean, and its name begins with "spread".
"""

from collections.abc import Callable, Sequence
from typing import Any

import pandas as pd

SEED = "seed"


def averaged(
    data: pd.DataFrame, keys: list[str], y: str, spread: str, others: Sequence[str] = ()
) -> pd.DataFrame:
    """One row per combination of `keys`, sorted: columns `keys`, `y`, `spread`, `others`. `y` and
    `others` are means over the repeats, `spread` is that of `y`."""
    groups = data.dropna(subset=[*keys, y]).groupby(keys, sort=True)
    return _mean_and_spread(groups, y, spread, others).reset_index()


def averaged_quantities(data: pd.DataFrame, keys: list[str], names: Sequence[str]) -> pd.DataFrame:
    """The columns `names` as rows, averaged: columns `keys`, quantity, value, spread; sorted."""
    long = data.melt(id_vars=keys, value_vars=list(names), var_name="quantity")
    long["value"] = pd.to_numeric(long["value"])
    return averaged(long, [*keys, "quantity"], "value", "spread")


def over_repeats(
    series: Callable[[pd.DataFrame], pd.DataFrame],
    runs: pd.DataFrame,
    keys: list[str],
    y: str,
    spread: str,
) -> pd.DataFrame:
    """Applies `series`, which computes numbers from several runs, to each repeat on its own. So no
    number mixes runs of different repeats. Columns `keys`, `y`, `spread` and the other columns of
    `series`, with means over the repeats; one row per combination of `keys`."""
    seeds = [part for _, part in runs.groupby(SEED)] if SEED in runs else [runs]
    data = pd.concat([series(part) for part in seeds])
    others = [column for column in map(str, data) if column not in (*keys, y)]
    if len(seeds) == 1:
        return data.assign(**{spread: 0.0})[[*keys, y, spread, *others]]
    return _mean_and_spread(data.groupby(keys, sort=False), y, spread, others).reset_index()


def spread_of(data: pd.DataFrame, y: str) -> str | None:
    """The column with the spread of the column `y`; None if there is none."""
    names = [*map(str, data), ""]
    right = names[names.index(y) + 1]
    return right if right.startswith("spread") else None


def curve_names(runs: pd.DataFrame, keys: Sequence[str]) -> list[str]:
    """The name of each run's curve: the values of `keys`, behind their key if there are several."""
    return [
        ", ".join(f"{key}={row[key]}" if len(keys) > 1 else str(row[key]) for key in keys)
        for _, row in runs.iterrows()
    ]


def _mean_and_spread(groups: Any, y: str, spread: str, others: Sequence[str]) -> pd.DataFrame:
    means = groups[[y, *others]].mean()
    means.insert(1, spread, (groups[y].max() - groups[y].min()) / 2)
    return means
