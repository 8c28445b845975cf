# SPDX-License-Identifier: MIT
"""Spinning on a Model B: overhead per turn of a small section with pauses, by kind of lock.

T. E. Anderson, "The Performance of Spin Lock Alternatives for Shared-Memory Multiprocessors",
IEEE TPDS 1(1), 1990. P processors loop 1,000,000 / P times over lock, section, unlock and a pause.
The length of the pause is uniformly distributed with a mean of five sections. The table has the
ideal machine as scheme `ideal`.
"""

from functools import partial

from symlab.paper.measures import per_turn

series = partial(per_turn.of_turns, with_ideal=True)
FIGURE = per_turn.figure(series, "overhead_us_per_turn", "Overhead per turn (µs)")
