# SPDX-License-Identifier: MIT
"""A figure's data where points are repeated with other seeds and each repeat is a figure by itself:
what is computed from several runs must not mix those of different repeats."""

from collections.abc import Callable

import pandas as pd

SEED = "seed"


def over_repeats(
    series: Callable[[pd.DataFrame], pd.DataFrame],
    runs: pd.DataFrame,
    keys: list[str],
    y: str,
    spread: str,
) -> pd.DataFrame:
    """Columns `keys`, `y`, `spread` and the others of `series`, a row for each combination of keys.

    All are means over the repeats, `spread` is half the distance of y's extremes: 0 of one repeat.
    """
    seeds = [part for _, part in runs.groupby(SEED)] if SEED in runs else [runs]
    data = pd.concat([series(part) for part in seeds])
    others = [column for column in data if column not in (*keys, y)]
    if len(seeds) == 1:
        return data.assign(**{spread: 0.0})[[*keys, y, spread, *others]]
    groups = data.groupby(keys, sort=False)
    means = groups[[y, *others]].mean()
    means.insert(1, spread, (groups[y].max() - groups[y].min()) / 2)
    return means.reset_index()
