# SPDX-License-Identifier: MIT
"""Orders and estimates of affinity models, against the lines that threads really have."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray
from symlab.errors import UserError

from symlab_papers.affinity.log import Log
from symlab_papers.affinity.replay import MODELS, estimates, priorities, replay

ESTIMATING = ("cmisses", "cmsum", "reload")
Values = NDArray[np.float64]


def agreement(groups: Iterable[tuple[Values, Values]]) -> float:
    """Kendall's rank correlation of priorities with a truth, over the pairs within all groups. 1:
    whoever has more of the truth has the higher priority; -1: the reverse. A pair of equal priority
    counts as neither, and one of equal truth not at all. NaN without a pair."""
    score, pairs = 0.0, 0
    for priority, truth in groups:
        upper = np.triu_indices(len(truth), 1)
        more = np.sign(np.subtract.outer(truth, truth))[upper]
        higher = np.sign(np.subtract.outer(priority, priority))[upper]
        score += float((more * higher).sum())
        pairs += int(np.count_nonzero(more))
    return score / pairs if pairs else float("nan")


def scores(log: Log, lines: int) -> dict[str, float]:
    """How well each model knows the threads that wait, in a cache of `lines` lines.

    tau_<model>: `agreement` of its order with the lines that threads have in the cache.
    missing_<model>: with the lines of their data that they do not have, the fewest first.
    error_<model>: mean absolute error of its estimate of lines, for ESTIMATING. mean_lines: what
    the threads have. chosen_lines: what the one that starts has. most_lines: what the one with most
    of them has. period_misses: mean of a period of a thread.
    Raises UserError if no thread comes back.
    """
    groups = []
    periods: dict[tuple[int, int], int] = {}
    for start, waiting in replay(log, lines):
        has = np.array([float(seen.lines) for seen, _ in waiting])
        missing = np.array([float(log.sizes[seen.number]) for seen, _ in waiting]) - has
        order = [priorities(kept, start, lines) for _, kept in waiting]
        thought = [estimates(kept, start, lines) for _, kept in waiting]
        chosen = [seen.lines for seen, _ in waiting if seen.starts]
        groups.append((has, missing, order, thought, chosen))
        periods |= {(k.processor, k.stopped): k.period_misses for _, k in waiting}
    if not groups:
        raise UserError("the log of affinity has no start of a thread that ran before")

    found = {}
    for model in MODELS:
        of = [np.array([each[model] for each in order]) for _, _, order, _, _ in groups]
        had = [group[0] for group in groups]
        lacks = [-group[1] for group in groups]
        found[f"tau_{model}"] = agreement(zip(of, had, strict=True))
        found[f"missing_{model}"] = agreement(zip(of, lacks, strict=True))
    all_lines = np.concatenate([group[0] for group in groups])
    for model in ESTIMATING:
        of_all = np.array([each[model] for group in groups for each in group[3]])
        found[f"error_{model}"] = float(np.abs(of_all - all_lines).mean())
    found["period_misses"] = float(np.mean(list(periods.values())))
    found["mean_lines"] = float(all_lines.mean())
    found["chosen_lines"] = float(np.mean([lines for group in groups for lines in group[4]]))
    found["most_lines"] = float(np.mean([group[0].max() for group in groups]))
    return found
