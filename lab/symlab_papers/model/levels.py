# SPDX-License-Identifier: MIT
"""The two levels of the model of ALL section 5, and their iteration.

The lower level is the bus: a queueing centre with three classes of processors, which are outside
critical sections, inside one, or spinning. It computes how much contention for the bus prolongs the
time of each class. The upper level is the locks: from these times it computes the mean number of
processors in each class. The two levels are iterated until the times no longer change.

Approximations: The bus level uses the approximation of Bard and Schweitzer, with classes that are
phases of the same processors. Its demands differ by class, which a product form would not allow at
an FCFS centre. A processor waits for each of its uses of the bus to end. At the locks all times are
exponential, and the times of all sections are independent.
"""

from dataclasses import dataclass
from typing import NamedTuple

from symlab.errors import LabError

from symlab_papers.model.locks import Locks, Occupancy, occupancy
from symlab_papers.model.mva import Class, approximate

LEAST_STEP = 0.01  # smallest step, as a part of the way to the new times
PRECISION = 1e-8  # largest relative change of a time at the fixed point; mva.py is more precise
MOST_STEPS = 2_000
PATIENCE = 500  # steps after which an oscillation that hardly shrinks is damped


@dataclass(frozen=True)
class Demand:
    """Time of one processor without contention: `think_us` off the bus, `bus_us` on the bus."""

    think_us: float
    bus_us: float

    def __add__(self, other: "Demand") -> "Demand":
        return Demand(self.think_us + other.think_us, self.bus_us + other.bus_us)


@dataclass(frozen=True)
class Demands:
    """The demands of a thread.

    `outside`: its total time outside critical sections. It makes `visits` visits to one of `locks`
    locks. `section`: a critical section, once per visit. `handoff_think_us`: the part of a lock
    handoff off the bus, once per visit if another processor waits. `spinner_bus_us`: bus time of
    each waiter from one acquisition of the lock to the next. The handoff includes as much bus time
    of the waiter that gets the lock.
    """

    outside: Demand
    section: Demand
    locks: int
    visits: float
    handoff_think_us: float
    spinner_bus_us: float


class Times(NamedTuple):
    """Times in us with contention for the bus: of a thread outside sections, of a section, of a
    lock handoff."""

    outside_us: float
    section_us: float
    handoff_us: float


@dataclass(frozen=True)
class Point:
    """The solution: times, mean numbers of processors by class, and utilisation of the bus."""

    times: Times
    occupancy: Occupancy
    bus_utilisation: float


def solve(processors: int, demands: Demands, handoff: bool = True) -> Point:
    """Iterates both levels from the times without contention to a fixed point.

    Each iteration moves the times a part of the way to the new ones. That part is halved whenever
    the change does not shrink, and after PATIENCE steps. `handoff`: whether a released lock with
    waiters remains
    unavailable for the time of a handoff. Without it, as in the paper, the lock is free at once.
    Raises LabError if no fixed point is reached in MOST_STEPS iterations.
    """
    outside, section = (d.think_us + d.bus_us for d in (demands.outside, demands.section))
    passing = demands.handoff_think_us + demands.spinner_bus_us if handoff else 0.0
    times, step, before = Times(outside, section, passing), 1.0, float("inf")
    for count in range(1, MOST_STEPS + 1):
        locks = Locks(demands.locks, demands.visits, times.section_us, times.handoff_us)
        occupied = occupancy(processors, times.outside_us, locks)
        new, utilisation = _on_the_bus(processors, demands, occupied, times, handoff)
        pairs = list(zip(times, new, strict=True))
        change = max(abs(b - a) / max(a, b) if max(a, b) else 0.0 for a, b in pairs)
        if change <= PRECISION:
            return Point(times, occupied, utilisation)
        if change >= before or count % PATIENCE == 0:  # the times oscillate
            step = max(step / 2, LEAST_STEP)
        before = change
        times = Times(*(a + step * (b - a) for a, b in pairs))
    raise LabError(
        f"two-level model: {processors} processors, {demands}: no fixed point after {MOST_STEPS} "
        f"steps, which end at {times} and {new}"
    )


def _on_the_bus(
    processors: int, demands: Demands, occupied: Occupancy, times: Times, handoff: bool
) -> tuple[Times, float]:
    """Lower level: times, and bus utilisation, with the mean numbers of processors `occupied`."""
    outside, section, spinner_bus_us = demands.outside, demands.section, demands.spinner_bus_us
    passing_us = times.section_us + times.handoff_us
    classes = (
        Class(occupied.outside, outside.think_us, outside.bus_us),
        Class(occupied.holders, section.think_us, section.bus_us),
        Class(occupied.spinners, 0.0, spinner_bus_us, cycle_us=passing_us),
    )
    solutions = approximate(classes, processors)
    utilisation = sum(s.throughput * c.demand_us for s, c in zip(solutions, classes, strict=True))
    outside_us, section_us, looking_us = (s.residence_us[0] for s in solutions)
    new = Times(
        outside.think_us + outside_us,
        section.think_us + section_us,
        demands.handoff_think_us + looking_us if handoff else 0.0,
    )
    return new, utilisation
