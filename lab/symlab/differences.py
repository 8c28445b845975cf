# SPDX-License-Identifier: MIT
"""What each more of something costs, from two runs of which one has more of it."""

import pandas as pd


def per_more(runs: pd.DataFrame, keys: list[str], by: str, columns: list[str]) -> pd.DataFrame:
    """Columns `keys` and `columns`, a row for each combination of `keys`, sorted.

    A value is the difference of the runs with most and least of `by`, for each more of it: what a
    run costs anyway, its start and its end, is not in it. Runs that have no other are left out.
    """
    numbers = runs[keys].assign(**{c: pd.to_numeric(runs[c]) for c in [by, *columns]})
    rows = []
    for key, group in numbers.groupby(keys, sort=True):
        means = group.groupby(by)[columns].mean()
        if len(means) < 2:
            continue
        each = (means.iloc[-1] - means.iloc[0]) / (means.index[-1] - means.index[0])
        rows.append(dict(zip(keys, key, strict=True)) | each.to_dict())
    return pd.DataFrame(rows, columns=[*keys, *columns])
