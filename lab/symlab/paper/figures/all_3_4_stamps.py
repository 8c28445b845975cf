# SPDX-License-Identifier: MIT
"""ALL Fig. 3.4 at a few points, timed by probes and by clock reads in the program.

It shows the columns stamps_cost_us and stamps_more_us of `latency.costs`. No claim is judged here.
"""

from functools import partial

from symlab.paper.figure import Figure
from symlab.paper.measures.latency import costs, measure
from symlab.plot.curves import Plot
from symlab.plot.failures import mark_failures

series = costs
draw = Plot(
    "stamps_more_us",
    "Cost by clock reads - cost by probes (µs)",
    "strategy",
    "runnable",
    "Runnable threads",
)

_FAILURES = partial(mark_failures, x="runnable", curve="strategy")
FIGURE = Figure(series, draw, measure=measure, tidy=True, failures=_FAILURES)
