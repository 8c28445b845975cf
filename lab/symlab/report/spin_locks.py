# SPDX-License-Identifier: MIT
"""For which lock the processors spun: the spinning that falls into waits for each lock."""

import numpy as np

from symlab.report.occupied import Occupied
from symlab.report.run_data import RunData
from symlab.report.timelines import activity_spans


def spin_by_lock(run: RunData) -> dict[str, int]:
    """Lock -> time (ps) that processors spun while they waited for it. The run must have a log."""
    assert run.log is not None
    spans = activity_spans(run.log.marks, len(run.processors), *run.log_span_ps)
    spans = spans[spans["what"] == "spin"]
    waits = run.episodes.waits
    found = dict.fromkeys(run.lock_names.values(), 0)
    for (lock, processor), mine in waits.groupby(["lock", "processor"]):
        spun = spans[spans["processor"] == processor]
        occupied = Occupied(spun["start_ps"], spun["end_ps"] - spun["start_ps"])
        ends = np.minimum(mine["acquired_ps"], run.log_span_ps[1])
        found[run.lock_names[int(lock)]] += int(occupied.between(mine["attempt_ps"], ends).sum())
    return found
