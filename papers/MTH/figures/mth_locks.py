# SPDX-License-Identifier: MIT
"""MTH section 6.2: misses for each handoff of a lock, by number of processors that want it.

Counted are those of acquiring the lock, of its section and of releasing it, and handoffs from one
processor to another. The program's own measurement of its section is before, without a lock.
"""

import numpy as np
import pandas as pd
from symlab.plot.curves import Curves, Plot
from symlab.plot.figure import Figure, Verdict, finished
from symlab.plot.repeats import averaged
from symlab.runs.one_run import Run
from symlab_papers.claims import Claim, judges

SNOOPING, BACKOFF, QUEUE = "read", "backoff", "mcs"
ONE_CELL = ("xchgb", "read", "ticket")
WHILE = ("spin", "critical")  # activities
MISSES = ("read", "read_exclusive", "upgrade", "locked_read")
SQUARE = (1.5, 2.2)
HANDOFFS = "handoffs_to_others"
LEVEL = 0.1  # our reading of a slope of "about 0"


def measure(run: Run) -> dict[str, float]:
    """Handoffs of the lock to another processor."""
    lock = run["locks"][0]
    return {HANDOFFS: float(lock["handoffs"] - lock["handoffs_own_processor"])}


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """Tidy data, sorted: lock, processors, misses, spread; of data, for each handoff."""
    columns = [f"{activity}_{kind}_transactions" for activity in WHILE for kind in MISSES]
    done = finished(runs, ["lock", "processors", HANDOFFS, *columns]).copy()
    done["misses"] = done[columns].sum(axis=1) / done[HANDOFFS]
    return averaged(done, ["lock", "processors"], "misses", "spread")


draw = Plot("misses", "Misses for a handoff", log="xy")


@judges("MTH-25")
def mth_25(claim: Claim, data: pd.DataFrame) -> Verdict:
    return claim.between({SNOOPING: _slope(data, SNOOPING)}, *SQUARE, "slope, {}")


@judges("MTH-26")
def mth_26(claim: Claim, data: pd.DataFrame) -> Verdict:
    return claim.all_of(
        claim.at_least({lock: _slope(data, lock) for lock in ONE_CELL}, 1.0, "slope, {}"),
        claim.at_most({QUEUE: abs(_slope(data, QUEUE))}, LEVEL, "slope, {}"),
    )


@judges("MTH-28")
def mth_28(claim: Claim, data: pd.DataFrame) -> Verdict:
    slope = _slope(data, BACKOFF)
    return claim.judged(slope < 1, slope, 1.0, 1 - slope, "slope")


def _slope(data: pd.DataFrame, lock: str) -> float:
    """Of the straight line through the points, both axes logarithmic. Raises NotRun."""
    misses = Curves.of(data, "misses")
    curve = misses.curve(lock)
    misses.require([lock], curve or [2])
    return float(np.polyfit(np.log(list(curve)), np.log(list(curve.values())), 1)[0])


FIGURE = Figure(series, draw, (mth_25, mth_26, mth_28), measure=measure, tidy=True)
