# SPDX-License-Identifier: MIT
"""Barriers on a Model B: time of an episode, without work between two episodes.

J. M. Mellor-Crummey, M. L. Scott, ACM TOCS 9(1), 1991, section 4. An episode counts as a turn.
There is no section, so the whole turn is overhead.
"""

from functools import partial

import pandas as pd

from symlab.paper.figure import Figure, finished
from symlab.paper.measures import per_turn


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """The table of `per_turn`, with section_us = 0 and elapsed time = overhead, in us."""
    done = finished(runs, ["processors", "barrier", "elapsed_us", "episodes"])
    time_us = pd.to_numeric(done["elapsed_us"]) / pd.to_numeric(done["episodes"])
    rows = {"processors": done["processors"], "scheme": done["barrier"], "section_us": 0.0}
    rows |= {"elapsed_us_per_turn": time_us, "overhead_us_per_turn": time_us}
    return per_turn.tidy(pd.DataFrame(rows))


FIGURE = Figure(
    series,
    partial(per_turn.draw, column="elapsed_us_per_turn", label="Time per episode (µs)"),
    tidy=True,
)
