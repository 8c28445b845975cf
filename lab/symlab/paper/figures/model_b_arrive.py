# SPDX-License-Identifier: MIT
"""Simultaneous arrival on a Model B: all processors start together and take the lock once each.

T. E. Anderson, IEEE TPDS 1(1), 1990. Each processor has one turn. The overhead per turn is the
elapsed time minus that of the same sections in sequence without waiting, divided by the number of
processors.
"""

from functools import partial

from symlab.paper.measures import per_turn

series = partial(per_turn.of_turns, with_ideal=True)
FIGURE = per_turn.figure(series, "overhead_us_per_turn", "Overhead per turn (µs)")
