# SPDX-License-Identifier: MIT
"""Tidy data of figures whose numbers are computed from several runs, with repeated points.

Each repeat (seed) is evaluated on its own, so that no number mixes runs of different repeats.
"""

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
    """Applies `series` to each repeat; columns `keys`, `y`, `spread` and its other columns.

    There is one row per combination of `keys`, with means over the repeats. `spread` is half the
    distance between the smallest and the largest `y`; it is 0 for a single repeat.
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
