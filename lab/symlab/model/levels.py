# SPDX-License-Identifier: MIT
"""The two levels of ALL section 5 and their iteration.

Lower level, the bus: a queueing centre for which processors of three classes come, those outside
sections, those in one and those who spin. It says how much longer each takes than alone. Upper
level, the locks: with those times, how many processors are in each of the three classes. Each is
computed from the other's result until nothing changes.

Approximations: the bus has Bard and Schweitzer's, for classes that the same processors belong to at
different times; its demands differ by class, as FCFS with a product form would not allow; every use
of it is waited for. The locks' times are exponential, each section's independent of the others'.
"""

from dataclasses import dataclass

from symlab.errors import LabError
from symlab.model.locks import Locks, Occupancy, occupancy
from symlab.model.mva import Class, approximate

LEAST_STEP = 0.01  # part of the way to the new times
PRECISION = 1e-8  # relative change of a time; the lower level is solved more precisely
MOST_STEPS = 2_000


@dataclass(frozen=True)
class Demand:
    """One processor alone: `think_us` for which it needs nobody, `bus_us` for which it holds the
    bus."""

    think_us: float
    bus_us: float

    def __add__(self, other: "Demand") -> "Demand":
        return Demand(self.think_us + other.think_us, self.bus_us + other.bus_us)


@dataclass(frozen=True)
class Demands:
    """Of a thread: `outside` sections, in all. Of each of its `visits` to one of `locks`: `section`
    and, if another waits, `handover`. `spinner_bus_us`: what each who waits takes of the bus from
    one acquisition to the next; the hand-over has as much, of the one who gets the lock."""

    outside: Demand
    section: Demand
    locks: int
    visits: float
    handover_think_us: float
    spinner_bus_us: float


@dataclass(frozen=True)
class Times:
    """With contention for the bus, us: of a thread outside sections, of a section, of a
    hand-over."""

    outside_us: float
    section_us: float
    handover_us: float


@dataclass(frozen=True)
class Point:
    """The model's answer: times, where the processors are, and the part of time the bus is held."""

    times: Times
    occupancy: Occupancy
    bus_utilisation: float


def solve(processors: int, demands: Demands, handover: bool = True) -> Point:
    """The fixed point that is reached from a bus without contention.

    Each step goes a part of the way to the other level's answer, a smaller one when they no longer
    come nearer. `handover`: whether a lock that somebody waits for stays closed for the hand-over;
    without it, as in the paper, it is free as soon as it is released. Raises LabError if nothing is
    reached.
    """
    times, step, before = _alone(demands, handover), 1.0, float("inf")
    for _ in range(MOST_STEPS):
        locks = Locks(demands.locks, demands.visits, times.section_us, times.handover_us)
        there = occupancy(processors, times.outside_us, locks)
        new, utilisation = _on_the_bus(processors, demands, there, times, handover)
        change = _change(times, new)
        if change <= PRECISION:
            return Point(times, there, utilisation)
        if change >= before:  # it swings about the fixed point, or between two places
            step = max(step / 2, LEAST_STEP)
        before = change
        times = Times(*(a + step * (b - a) for a, b in _both(times, new)))
    raise LabError(
        f"two-level model: {processors} processors, {demands}: no fixed point after {MOST_STEPS} "
        f"steps, which end at {times} and {new}"
    )


def _alone(demands: Demands, handover: bool) -> Times:
    outside, section = (d.think_us + d.bus_us for d in (demands.outside, demands.section))
    passing = demands.handover_think_us + demands.spinner_bus_us if handover else 0.0
    return Times(outside, section, passing)


def _on_the_bus(
    processors: int, demands: Demands, there: Occupancy, times: Times, handover: bool
) -> tuple[Times, float]:
    """Lower level: times with these numbers of processors on the bus, and its utilisation."""
    outside, section, spinner_bus_us = demands.outside, demands.section, demands.spinner_bus_us
    passing_us = times.section_us + times.handover_us
    classes = (
        Class(there.outside, outside.think_us, outside.bus_us),
        Class(there.holders, section.think_us, section.bus_us),
        Class(there.spinners, 0.0, spinner_bus_us, cycle_us=passing_us),
    )
    solutions = approximate(classes, processors)
    utilisation = sum(s.throughput * c.demand_us for s, c in zip(solutions, classes, strict=True))
    outside_us, section_us, looking_us = (s.residence_us[0] for s in solutions)
    new = Times(
        outside.think_us + outside_us,
        section.think_us + section_us,
        demands.handover_think_us + looking_us if handover else 0.0,
    )
    return new, utilisation


def _both(a: Times, b: Times) -> list[tuple[float, float]]:
    return [
        (a.outside_us, b.outside_us),
        (a.section_us, b.section_us),
        (a.handover_us, b.handover_us),
    ]


def _change(a: Times, b: Times) -> float:
    return max(abs(y - x) / max(x, y) if max(x, y) else 0.0 for x, y in _both(a, b))
