# SPDX-License-Identifier: MIT
"""Upper level: processors alternate between their own work and critical sections under locks.

It is a closed network of one class. The work is a delay centre. The locks are identical queueing
centres, visited with equal probability. A lock centre has one service rate if only the lock's
holder is there, and another if a processor waits, since a handoff then follows the section. Such a
network has a product form (Baskett, Chandy, Muntz and Palacios, J. ACM 22(2), 1975). It is solved
by convolution (Buzen, Comm. ACM 16(9), 1973), which only adds and multiplies positive numbers.
With a single rate the result equals `mva.exact`, which a test checks.
"""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Locks:
    """`count` locks; a processor makes `visits` visits to them per cycle, one after the other.
    `section_us`: time from the acquisition of a lock until the lock is free. `handoff_us`: further
    time for which the lock is unavailable if a processor waits for it."""

    count: int
    visits: float
    section_us: float
    handoff_us: float


@dataclass(frozen=True)
class Occupancy:
    """Means over time. `throughput`: cycles per us, of all processors together. `holders`: mean
    number of processors that hold a lock. `spinners`: of those that wait for one, including the
    next owner during a handoff. `outside`: of all others."""

    throughput: float
    outside: float
    holders: float
    spinners: float


def occupancy(processors: int, outside_us: float, locks: Locks) -> Occupancy:
    """Solves the network. `outside_us`: work of a processor per cycle. Exact if the times at the
    locks are distributed exponentially; the work may have any distribution. Raises ValueError if
    `processors` or a time is not positive; only the handoff may be 0."""
    if processors < 1 or outside_us <= 0 or locks.section_us <= 0 or locks.handoff_us < 0:
        raise ValueError(f"{processors} processors, {outside_us} us outside, {locks}")
    crowded_us = locks.section_us + locks.handoff_us
    lock = _lock(processors, locks, outside_us)
    # The factors of the delay centre. Times are in units of the work.
    others = 1 / np.cumprod(np.maximum(1.0, np.arange(processors + 1.0)))
    for _ in range(locks.count - 1):
        others = np.convolve(others, lock)[: processors + 1]
        others /= others.max()
    at_lock = lock * others[::-1]  # probability by number of processors at one lock
    at_lock /= at_lock.sum()
    alone, crowded = float(at_lock[1]), float(at_lock[2:].sum())
    customers = float(np.dot(np.arange(processors + 1), at_lock))
    holding = alone + crowded * locks.section_us / crowded_us
    passed = alone / locks.section_us + crowded / crowded_us  # completions per us
    return Occupancy(
        throughput=locks.count * passed / locks.visits,
        outside=processors - locks.count * customers,
        holders=locks.count * holding,
        spinners=locks.count * (customers - holding),
    )


def _lock(processors: int, locks: Locks, outside_us: float) -> np.ndarray:
    """Product-form factors of one lock by number of processors there, 0 to `processors`. The factor
    for n is the product of the lock's demands with 1 to n processors there."""
    demand = np.full(processors + 1, locks.section_us + locks.handoff_us)
    demand[1] = locks.section_us
    factors = demand * locks.visits / locks.count / outside_us
    factors[0] = 1.0
    return np.cumprod(factors)
