# SPDX-License-Identifier: MIT
"""Incremental cost of one more unit, from two runs with different numbers of units."""

import pandas as pd


def per_additional(
    runs: pd.DataFrame, keys: list[str], by: str, columns: list[str]
) -> pd.DataFrame:
    """Columns `keys` and `columns`: one row per combination of `keys`, sorted.

    A value is the difference between the runs with the largest and the smallest `by`, divided by
    the difference in `by`. So it excludes the fixed cost of a run, its start and its end. A
    combination with a single value of `by` gets no row.
    """
    numbers = runs[keys].assign(**{c: pd.to_numeric(runs[c]) for c in [by, *columns]})
    rows = []
    for key, group in numbers.groupby(keys, sort=True):
        means = group.groupby(by)[columns].mean()
        if len(means) < 2:
            continue
        increment = (means.iloc[-1] - means.iloc[0]) / (means.index[-1] - means.index[0])
        rows.append(dict(zip(keys, key, strict=True)) | increment.to_dict())
    return pd.DataFrame(rows, columns=[*keys, *columns])
