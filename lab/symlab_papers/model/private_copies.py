# SPDX-License-Identifier: MIT
"""Bus demand of a piece of code, inferred from the slowdown of private copies: ALL section 5.1.

All processors run the code in parallel, each on its own copy of all data, so they share only the
bus and memory. The slowdown is the time of a repetition with P processors over that with one, less
1. The model is a closed network with a queueing centre, the bus, and a delay centre. The inferred
demand is the service time at the bus whose curve of slowdowns is nearest to the measured one.
"""

import math
from collections.abc import Callable, Mapping

from symlab_papers.model.mva import exact

DIGITS = 6  # significant digits of an inferred demand, which are the same on all hosts


def modelled_slowdown(processors: int, alone_us: float, bus_us: float) -> float:
    """Of a repetition that takes `alone_us` with one processor, with `bus_us` of it at the bus."""
    throughput = exact(processors, alone_us - bus_us, [bus_us]).throughput
    return processors / throughput / alone_us - 1


def inferred_demand(times_us: Mapping[int, float]) -> float:
    """The bus demand of a repetition in us: the least sum of squares between the slowdowns.
    `times_us`: number of processors -> time of a repetition. Raises KeyError without the time of
    one processor, ValueError without any other."""
    alone_us = times_us[1]
    slowdowns = {p: time_us / alone_us - 1 for p, time_us in times_us.items() if p != 1}
    if not slowdowns:
        raise ValueError("one processor alone has no slowdown")

    def distance(bus_us: float) -> float:
        return sum((modelled_slowdown(p, alone_us, bus_us) - s) ** 2 for p, s in slowdowns.items())

    return float(f"{_lowest(distance, alone_us, alone_us * 10 ** -(DIGITS + 2)):.{DIGITS}g}")


def _lowest(function: Callable[[float], float], end: float, width: float) -> float:
    """Where a function with one minimum in [0, end] is lowest, to within `width`: golden section
    search (Kiefer, Sequential minimax search for a maximum, 1953)."""
    ratio = (math.sqrt(5) - 1) / 2
    low, high = 0.0, end
    left, right = high - ratio * end, low + ratio * end
    at_left, at_right = function(left), function(right)
    while high - low > width:
        if at_left < at_right:
            high, right, at_right = right, left, at_left
            left = high - ratio * (high - low)
            at_left = function(left)
        else:
            low, left, at_left = left, right, at_right
            right = low + ratio * (high - low)
            at_right = function(right)
    return (low + high) / 2
