# SPDX-License-Identifier: MIT
"""Number of queues examined until a thread is found (ALL section 3.5), computed and measured.

The model: r threads are in q queues, each thread in any queue with equal probability. A processor
starts at a random queue and examines the queues in cyclic order. By symmetry, the mean is the same
for one thread and r processors, counted for the processor that finds it first. `equation` is exact;
`measure` reads a run of guest/workloads/searching.c.
"""

from fractions import Fraction
from functools import cache

from symlab.runs.one_run import Run


@cache
def equation(r: int, q: int) -> Fraction:
    """Mean number of queues examined, including the successful one: ALL Equation 3.1."""
    tail = sum(
        i * (q - i) ** (j - 1) * (q - i + 1) ** (r - j)
        for j in range(1, r + 1)
        for i in range(1, q)
    )
    return Fraction(q + tail, q**r) if r > 0 else Fraction(q)


def measure(run: Run) -> dict[str, float]:
    """Column examined: queues examined in a run, counted by the guest's stopwatch `examined`."""
    examined = (lock["attempts"] for lock in run["locks"] if lock["name"] == "examined")
    return {"examined": sum(examined)}
