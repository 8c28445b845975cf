# SPDX-License-Identifier: MIT
"""Upper level: processors go round between work of their own and locks that one at a time holds.

A closed network of one class: a delay, the work, and identical lock centres that are visited with
the same probability. A lock serves at one rate if only its holder is there, and at another if
somebody waits: it is then handed over. Such a network has a product form (Baskett, Chandy, Muntz
and Palacios, J. ACM 22(2), 1975) and is solved by convolution (Buzen, Comm. ACM 16(9), 1973), which
adds and multiplies positive numbers only. With one rate it is `mva.exact`, as a test says.
"""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Locks:
    """`count` locks, of which each cycle takes `visits` in all, one after the other.

    `section_us`: how long one is held, from acquisition until it is free again; `handover_us`: how
    much longer it cannot be taken if somebody waits.
    """

    count: int
    visits: float
    section_us: float
    handover_us: float


@dataclass(frozen=True)
class Occupancy:
    """Means over time. `throughput`: cycles per us. `holders`, `spinners`: processors that have a
    lock and that wait for one; who is about to get it counts with these. `outside`: all others."""

    throughput: float
    outside: float
    holders: float
    spinners: float


def occupancy(processors: int, outside_us: float, locks: Locks) -> Occupancy:
    """Exact for times that are distributed exponentially (work: in any way).

    Raises ValueError unless all times but the hand-over are more than 0.
    """
    if processors < 1 or outside_us <= 0 or locks.section_us <= 0 or locks.handover_us < 0:
        raise ValueError(f"{processors} processors, {outside_us} us outside, {locks}")
    crowded_us = locks.section_us + locks.handover_us
    lock = _lock(processors, locks, outside_us)
    others = _work(processors)
    for _ in range(locks.count - 1):
        others = np.convolve(others, lock)[: processors + 1]
        others /= others.max()
    at_lock = lock * others[::-1]  # by number of processors there
    at_lock /= at_lock.sum()
    alone, crowded = float(at_lock[1]), float(at_lock[2:].sum())
    customers = float(np.dot(np.arange(processors + 1), at_lock))
    holding = alone + crowded * locks.section_us / crowded_us
    passed = alone / locks.section_us + crowded / crowded_us  # per us
    return Occupancy(
        throughput=locks.count * passed / locks.visits,
        outside=processors - locks.count * customers,
        holders=locks.count * holding,
        spinners=locks.count * (customers - holding),
    )


def _work(processors: int) -> np.ndarray:
    """Of the delay, by number of processors there; times are in units of the work."""
    return 1 / np.cumprod(np.maximum(1.0, np.arange(processors + 1.0)))


def _lock(processors: int, locks: Locks, outside_us: float) -> np.ndarray:
    """Of one lock, by number of processors there: product of its demands at 1, 2, ... of them."""
    demand = np.full(processors + 1, locks.section_us + locks.handover_us)
    demand[1] = locks.section_us
    factors = demand * locks.visits / locks.count / outside_us
    factors[0] = 1.0
    return np.cumprod(factors)
