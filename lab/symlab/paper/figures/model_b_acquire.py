# SPDX-License-Identifier: MIT
"""Acquire plus release on a Model B, with an empty section and with one of 6.48 us.

J. M. Mellor-Crummey, M. L. Scott, "Algorithms for Scalable Synchronization on Shared-Memory
Multiprocessors", ACM TOCS 9(1), 1991, section 4. Overhead is the time of a turn minus that of the
section. With one processor the time of the surrounding loop is subtracted too, so the overhead is
the lock's latency. Pale curves with hollow markers are for the longer section.
"""

from symlab.paper.measures import per_turn

FIGURE = per_turn.figure(per_turn.of_turns, "overhead_us_per_turn", "Acquire and release (µs)")
