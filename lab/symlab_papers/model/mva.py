# SPDX-License-Identifier: MIT
"""Closed queueing networks by mean value analysis (MVA).

Exact MVA: Reiser and Lavenberg, J. ACM 27(2), 1980. Approximate MVA for several classes: Bard 1979
and Schweitzer 1979, as in Lazowska et al., Quantitative System Performance, 1984, section 7.4.
Times are in us. A customer's demand at a centre is its service time there per cycle. Its think time
is the part of a cycle that it spends elsewhere without waiting.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from symlab.errors import LabError

PRECISION = 1e-12  # the iteration ends when all queue lengths change by no more than this part
MOST_STEPS = 20_000


@dataclass(frozen=True)
class Solution:
    """The solution for one class. `throughput`: cycles per us. For each centre, `residence_us` is
    the time there per cycle, including waiting, and `queue` the mean number of customers there,
    including those in service."""

    throughput: float
    residence_us: tuple[float, ...]
    queue: tuple[float, ...]


@dataclass(frozen=True)
class Class:
    """A class of like customers: their number, think time, and demand at a single centre.
    `cycle_us`, only for `approximate`: if it is not 0, the length of a cycle in place of the think
    time. A cycle is longer only if the time at the centre is longer than `cycle_us`."""

    customers: float
    think_us: float
    demand_us: float
    cycle_us: float = 0.0


def exact(customers: int, think_us: float, demands_us: Sequence[float]) -> Solution:
    """Exact MVA for one class and any number of queueing centres. Raises ValueError if an argument
    is negative or a cycle takes no time."""
    _check(customers, think_us, demands_us)
    queue = [0.0] * len(demands_us)
    residence, throughput = list(demands_us), 0.0
    for n in range(1, customers + 1):
        residence = [d * (1 + q) for d, q in zip(demands_us, queue, strict=True)]
        throughput = n / (think_us + sum(residence))
        queue = [throughput * r for r in residence]
    return Solution(throughput, tuple(residence), tuple(queue))


def approximate(classes: Sequence[Class], customers: int | None = None) -> list[Solution]:
    """Approximate MVA for several classes at one queueing centre; one Solution per class.

    The numbers of customers need not be whole. A customer that arrives sees the mean queue without
    itself. With N customers in its class it sees the part (N - 1)/N of the queue of its class.

    `customers`: if given, the classes are phases of the same `customers` customers, and the
    numbers of customers in the classes are means. An arriving customer then sees the part
    (customers - 1)/customers of the whole queue.
    Raises LabError if the iteration does not converge, ValueError as `exact` does.
    """
    for c in classes:
        _check(c.customers, max(c.think_us, c.cycle_us), [c.demand_us])
    queues = [c.customers / 2 for c in classes]
    for _ in range(MOST_STEPS):
        total = sum(queues)
        residences_us = [
            c.demand_us * (1 + total - _itself(c, q, total, customers))
            for c, q in zip(classes, queues, strict=True)
        ]
        new = [_throughput(c, r) * r for c, r in zip(classes, residences_us, strict=True)]
        if all(abs(n - q) <= PRECISION * max(1.0, q) for n, q in zip(new, queues, strict=True)):
            return [_solution(c, r) for c, r in zip(classes, residences_us, strict=True)]
        queues = new
    raise LabError(f"approximate MVA: no convergence after {MOST_STEPS} steps, queues {queues}")


def _solution(c: Class, residence_us: float) -> Solution:
    throughput = _throughput(c, residence_us)
    return Solution(throughput, (residence_us,), (throughput * residence_us,))


def _throughput(c: Class, residence_us: float) -> float:
    """Cycles per us of the class, whose customers spend `residence_us` per cycle at the centre."""
    cycle_us = max(c.cycle_us, residence_us) if c.cycle_us else c.think_us + residence_us
    return c.customers / cycle_us if cycle_us > 0 else 0.0


def _itself(c: Class, queue: float, total: float, customers: int | None) -> float:
    """Mean contribution of the arriving customer itself to the queue."""
    if customers is not None:
        return total / customers
    return queue / c.customers if c.customers > 1 else queue


def _check(customers: float, think_us: float, demands_us: Sequence[float]) -> None:
    if customers < 0 or think_us < 0 or any(d < 0 for d in demands_us):
        raise ValueError(f"negative: {customers} customers, {think_us} us, demands {demands_us}")
    if think_us == 0 and sum(demands_us) == 0:
        raise ValueError("a cycle of no time at all: think time and demands are 0")
