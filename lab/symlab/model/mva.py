# SPDX-License-Identifier: MIT
"""Closed queueing networks by mean value analysis.

Exact: Reiser and Lavenberg, J. ACM 27(2), 1980. Approximate, for several classes: Bard 1979 and
Schweitzer 1979, as in Lazowska et al., Quantitative System Performance, 1984, section 7.4. Times
are in us. A centre's demand is the time a customer is served there in one cycle; the think time is
what it spends elsewhere, waiting for nobody.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from symlab.errors import LabError

PRECISION = 1e-12  # relative change of a queue length at which the approximation has converged
MOST_STEPS = 20_000


@dataclass(frozen=True)
class Solution:
    """Of one class. `throughput`: cycles per us. Of each centre `residence_us`, waiting included,
    per cycle, and `queue`, customers there on average, in service included."""

    throughput: float
    residence_us: tuple[float, ...]
    queue: tuple[float, ...]


@dataclass(frozen=True)
class Class:
    """Customers that are alike: how many, their think time and demand at a single centre.

    `cycle_us`, for `approximate`: they come as often as this, whatever waiting leaves for thinking;
    only if they wait longer they come less often. The think time then is not used.
    """

    customers: float
    think_us: float
    demand_us: float
    cycle_us: float = 0.0


def exact(customers: int, think_us: float, demands_us: Sequence[float]) -> Solution:
    """One class, any number of queueing centres."""
    _check(customers, think_us, demands_us)
    queue = [0.0] * len(demands_us)
    residence, throughput = list(demands_us), 0.0
    for n in range(1, customers + 1):
        residence = [d * (1 + q) for d, q in zip(demands_us, queue, strict=True)]
        throughput = n / (think_us + sum(residence))
        queue = [throughput * r for r in residence]
    return Solution(throughput, tuple(residence), tuple(queue))


def exact_classes(classes: Sequence[Class]) -> list[Solution]:
    """Several classes at one queueing centre, whole numbers of customers. Its time and memory grow
    with the product of the numbers: what the approximation is tested against."""
    populations = [int(c.customers) for c in classes]
    zero = (0,) * len(classes)
    totals = {zero: 0.0}  # mean queue by population
    solutions = [Solution(0.0, (0.0,), (0.0,)) for _ in classes]
    for population in _up_to(populations):
        if population == zero:
            continue
        residence = [
            c.demand_us * (1 + totals[_less(population, k)]) if population[k] else 0.0
            for k, c in enumerate(classes)
        ]
        solutions = [
            _solution(Class(population[k], c.think_us, c.demand_us), residence[k])
            for k, c in enumerate(classes)
        ]
        totals[population] = sum(s.queue[0] for s in solutions)
    return solutions


def approximate(classes: Sequence[Class], customers: int | None = None) -> list[Solution]:
    """Several classes at one queueing centre; their numbers of customers need not be whole.

    Who arrives sees what is there on average without itself: of the N of its class all but one in
    N. If the classes are what the same `customers` do at different times, so that the numbers in
    them are means, who arrives is missing from all: it sees all but one in `customers` of the whole
    queue. Raises LabError if the iteration does not converge.
    """
    for c in classes:
        _check(c.customers, max(c.think_us, c.cycle_us), [c.demand_us])
    queues = [c.customers / 2 for c in classes]
    for _ in range(MOST_STEPS):
        total = sum(queues)
        solutions = [
            _solution(c, c.demand_us * (1 + total - _itself(c, q, total, customers)))
            for c, q in zip(classes, queues, strict=True)
        ]
        new = [s.queue[0] for s in solutions]
        if all(abs(n - q) <= PRECISION * max(1.0, q) for n, q in zip(new, queues, strict=True)):
            return solutions
        queues = new
    raise LabError(f"approximate MVA: no convergence after {MOST_STEPS} steps, queues {queues}")


def _solution(c: Class, residence_us: float) -> Solution:
    cycle_us = max(c.cycle_us, residence_us) if c.cycle_us else c.think_us + residence_us
    throughput = c.customers / cycle_us if cycle_us > 0 else 0.0
    return Solution(throughput, (residence_us,), (throughput * residence_us,))


def _itself(c: Class, queue: float, total: float, customers: int | None) -> float:
    """What of the queue is, on average, the one who arrives."""
    if customers is not None:
        return total / customers
    return queue / c.customers if c.customers > 1 else queue


def _less(population: tuple[int, ...], k: int) -> tuple[int, ...]:
    return (*population[:k], population[k] - 1, *population[k + 1 :])


def _up_to(populations: Sequence[int]) -> list[tuple[int, ...]]:
    """Every population up to this one, each after those with a customer less."""
    found: list[tuple[int, ...]] = [()]
    for most in populations:
        found = [(*p, n) for p in found for n in range(most + 1)]
    return found


def _check(customers: float, think_us: float, demands_us: Sequence[float]) -> None:
    if customers < 0 or think_us < 0 or any(d < 0 for d in demands_us):
        raise ValueError(f"negative: {customers} customers, {think_us} us, demands {demands_us}")
    if think_us == 0 and sum(demands_us) == 0:
        raise ValueError("a cycle of no time at all: think time and demands are 0")
