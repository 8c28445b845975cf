# SPDX-License-Identifier: MIT
"""Quiescence on a Model B: time from a release until all spinners loop in their caches again.

T. E. Anderson, IEEE TPDS 1(1), 1990. `processors` is the number of processors that spin when the
lock is released; one more processor held it. A release counts as a turn. There is no section, so
the whole turn is overhead.
"""

import pandas as pd

from symlab.paper.figure import finished
from symlab.paper.measures import per_turn
from symlab.paper.measures.quiescence import measure


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """The table of `per_turn`, with section_us = 0 and elapsed time = overhead, in us.

    Runs in which the spinners never settle have no row.
    """
    done = finished(runs, ["processors", "lock", "settle_us"])
    time_us = pd.to_numeric(done["settle_us"])
    return per_turn.of_times(done["processors"] - 1, done["lock"], time_us)


FIGURE = per_turn.figure(series, "elapsed_us_per_turn", "Time to quiesce (µs)", measure=measure)
