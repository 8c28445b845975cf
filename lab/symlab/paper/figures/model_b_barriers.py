# SPDX-License-Identifier: MIT
"""Barriers on a Model B: time of an episode, without work between two episodes.

J. M. Mellor-Crummey, M. L. Scott, ACM TOCS 9(1), 1991, section 4. An episode counts as a turn.
There is no section, so the whole turn is overhead.
"""

import pandas as pd

from symlab.paper.figure import finished
from symlab.paper.measures import per_turn


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """The table of `per_turn`, with section_us = 0 and elapsed time = overhead, in us."""
    done = finished(runs, ["processors", "barrier", "elapsed_us", "episodes"])
    time_us = pd.to_numeric(done["elapsed_us"]) / pd.to_numeric(done["episodes"])
    return per_turn.of_times(done["processors"], done["barrier"], time_us)


FIGURE = per_turn.figure(series, "elapsed_us_per_turn", "Time per episode (µs)", "barrier")
