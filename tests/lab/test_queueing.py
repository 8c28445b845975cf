# SPDX-License-Identifier: MIT
"""The parts of the queueing model, compared with closed forms and with each other."""

import math
from collections.abc import Sequence

import pytest
from symlab.errors import LabError
from symlab_papers.model import levels, mva
from symlab_papers.model.levels import Demand, Demands, solve
from symlab_papers.model.locks import Locks, occupancy
from symlab_papers.model.mva import Class, approximate, exact


def repairman(machines: int, think_us: float, repair_us: float) -> float:
    """Throughput of M/M/1//N by summing the state probabilities (Kleinrock 1975, section 3.6)."""
    ratio = repair_us / think_us
    weights = [math.perm(machines, n) * ratio**n for n in range(machines + 1)]
    return (1 - weights[0] / sum(weights)) / repair_us


def exact_classes(classes: Sequence[Class]) -> list[mva.Solution]:
    """Exact MVA for several classes at one queueing centre, with whole numbers of customers.

    Time and memory grow with the product of the numbers of customers.
    """
    populations = [int(c.customers) for c in classes]
    zero = (0,) * len(classes)
    totals = {zero: 0.0}  # mean queue by population
    solutions = [mva.Solution(0.0, (0.0,), (0.0,)) for _ in classes]
    for population in up_to(populations):
        if population == zero:
            continue
        residence = [
            c.demand_us * (1 + totals[less(population, k)]) if population[k] else 0.0
            for k, c in enumerate(classes)
        ]
        solutions = [
            mva._solution(Class(population[k], c.think_us, c.demand_us), residence[k])
            for k, c in enumerate(classes)
        ]
        totals[population] = sum(s.queue[0] for s in solutions)
    return solutions


def less(population: tuple[int, ...], k: int) -> tuple[int, ...]:
    return (*population[:k], population[k] - 1, *population[k + 1 :])


def up_to(populations: Sequence[int]) -> list[tuple[int, ...]]:
    """All populations up to `populations`, each after the populations with one customer less."""
    found: list[tuple[int, ...]] = [()]
    for most in populations:
        found = [(*p, n) for p in found for n in range(most + 1)]
    return found


@pytest.mark.parametrize("machines", [1, 2, 5, 20])
def test_exact_mva_agrees_with_the_machine_repairman_model(machines):
    solution = exact(machines, 30.0, [4.0])
    assert solution.throughput == pytest.approx(repairman(machines, 30.0, 4.0))
    cycle_us = machines / solution.throughput
    assert solution.residence_us[0] == pytest.approx(cycle_us - 30.0)
    assert solution.queue[0] == pytest.approx(solution.throughput * solution.residence_us[0])


def test_exact_mva_of_a_balanced_network_agrees_with_its_closed_form():
    """With N customers, K equal centres and no think time, X = N / (D (N + K - 1))."""
    for customers in (1, 3, 10):
        solution = exact(customers, 0.0, [2.0] * 4)
        assert solution.throughput == pytest.approx(customers / (2.0 * (customers + 3)))
        assert solution.queue == pytest.approx([customers / 4] * 4)


def test_without_customers_there_is_no_throughput():
    solution = exact(0, 5.0, [1.0])
    assert (solution.throughput, solution.queue) == (0.0, (0.0,))


def test_two_equal_classes_behave_as_one():
    one = exact(7, 20.0, [3.0])
    two = exact_classes([Class(3, 20.0, 3.0), Class(4, 20.0, 3.0)])
    assert sum(s.throughput for s in two) == pytest.approx(one.throughput)
    assert two[0].throughput == pytest.approx(one.throughput * 3 / 7)


def test_exact_classes_of_two_customers_by_hand():
    """Each customer sees the queue D/(Z + D) of the other one alone."""
    first, second = exact_classes([Class(1, 6.0, 2.0), Class(1, 1.0, 3.0)])
    assert first.residence_us[0] == pytest.approx(2.0 * (1 + 3 / 4))
    assert second.residence_us[0] == pytest.approx(3.0 * (1 + 2 / 8))


@pytest.mark.parametrize("numbers", [(1, 1), (2, 5), (6, 3), (8, 8)])
def test_the_approximation_is_up_to_8_percent_below_the_exact_solution(numbers):
    classes = [Class(numbers[0], 40.0, 2.0), Class(numbers[1], 15.0, 3.0)]
    for near, right in zip(approximate(classes), exact_classes(classes), strict=True):
        assert 0.92 * right.throughput < near.throughput < right.throughput


def test_the_approximation_is_exact_for_one_customer_and_for_none():
    assert approximate([Class(1, 6.0, 2.0)])[0].throughput == pytest.approx(1 / 8)
    alone, nobody = approximate([Class(1, 6.0, 2.0), Class(0, 6.0, 2.0)])
    assert (alone.residence_us[0], nobody.throughput) == (pytest.approx(2.0), 0.0)


def test_a_customer_in_several_phases_does_not_queue_for_itself():
    """Two customers are in the second class a third of the time; half of the queue is their own."""
    whole = approximate([Class(2, 6.0, 2.0)], 2)[0]
    parts = approximate([Class(4 / 3, 6.0, 2.0), Class(2 / 3, 6.0, 2.0)], 2)
    assert sum(p.throughput for p in parts) == pytest.approx(whole.throughput)
    alone = approximate([Class(0.9, 6.0, 2.0), Class(0.1, 3.0, 1.0)], 1)
    assert [p.residence_us[0] for p in alone] == pytest.approx([2.0, 1.0])


def test_fewer_than_one_customer_does_not_queue():
    assert approximate([Class(0.3, 6.0, 2.0)])[0].residence_us[0] == pytest.approx(2.0)


def test_a_class_with_a_fixed_cycle_slows_down_only_at_saturation():
    free = approximate([Class(2, 0.0, 1.0, cycle_us=10.0)])[0]
    assert free.throughput == pytest.approx(0.2)
    crowded = approximate([Class(8, 0.0, 2.0, cycle_us=10.0)])[0]  # offered: 0.8 cycles per us
    assert crowded.throughput == pytest.approx(1 / 2.0)


def test_impossible_demands_are_refused_with_their_values():
    with pytest.raises(ValueError, match="-1"):
        exact(3, -1.0, [1.0])
    with pytest.raises(ValueError, match="no time at all"):
        approximate([Class(1, 0.0, 0.0)])
    with pytest.raises(ValueError, match="section_us=0"):
        occupancy(3, 5.0, Locks(1, 2, 0.0, 1.0))


@pytest.mark.parametrize(("processors", "locks"), [(1, 1), (5, 1), (20, 1), (5, 3), (20, 20)])
def test_without_a_handoff_the_locks_agree_with_exact_mva(processors, locks):
    solution = exact(processors, 50.0, [2 * 6.0 / locks] * locks)
    found = occupancy(processors, 50.0, Locks(locks, 2, 6.0, 0.0))
    assert found.throughput == pytest.approx(solution.throughput)
    assert found.outside == pytest.approx(solution.throughput * 50.0)
    assert found.holders == pytest.approx(solution.throughput * 2 * 6.0)
    assert found.outside + found.holders + found.spinners == pytest.approx(processors)


def test_a_handoff_costs_time_only_if_a_processor_waits():
    """Two processors and one lock, solved by the flow balance between 0, 1 and 2 at the lock."""
    outside_us, section_us, handoff_us = 40.0, 5.0, 7.0
    one = 2 / outside_us * section_us
    two = one / outside_us * (section_us + handoff_us)
    nobody = 1 / (1 + one + two)
    found = occupancy(2, outside_us, Locks(1, 1, section_us, handoff_us))
    assert found.outside == pytest.approx(nobody * (2 + one))
    assert found.throughput == pytest.approx(nobody * (2 + one) / outside_us)
    assert found.holders == pytest.approx(nobody * (one + two * 5 / 12))
    assert found.spinners == pytest.approx(nobody * two * (1 + 7 / 12))


def test_a_crowded_lock_is_passed_on_once_per_section_and_handoff():
    found = occupancy(64, 1.0, Locks(1, 2, 5.0, 8.0))
    assert found.throughput == pytest.approx(1 / (2 * 13.0))
    assert found.spinners == pytest.approx(64 - found.outside - 5 / 13)


THREAD = Demands(Demand(300.0, 8.0), Demand(4.5, 1.0), 1, 2, 8.0, 0.6)
QUIET = Demands(Demand(300.0, 0.0), Demand(4.5, 0.0), 1, 2, 8.0, 0.0)


def test_a_single_processor_never_waits():
    point = solve(1, THREAD)
    assert point.occupancy.throughput == pytest.approx(1 / (308.0 + 2 * 5.5), rel=1e-6)
    assert point.bus_utilisation == pytest.approx(10 / 319, rel=1e-6)
    assert point.occupancy.spinners == pytest.approx(0.0, abs=1e-9)


def test_without_bus_use_the_model_is_its_upper_level():
    point = solve(20, QUIET)
    locks = occupancy(20, 300.0, Locks(1, 2, 4.5, 8.0))
    assert point.occupancy.throughput == pytest.approx(locks.throughput)
    assert point.bus_utilisation == 0.0


def test_with_negligible_locks_the_model_is_its_lower_level():
    demands = Demands(Demand(30.0, 3.0), Demand(1e-9, 0.0), 1, 1, 0.0, 0.0)
    point = solve(8, demands)
    bus = approximate([Class(8, 30.0, 3.0)], 8)[0]
    assert point.occupancy.throughput == pytest.approx(bus.throughput, rel=1e-4)
    assert point.bus_utilisation == pytest.approx(8 * 3 / (30 + bus.residence_us[0]), rel=1e-4)


def test_the_solution_is_consistent_with_both_levels():
    point = solve(16, THREAD)
    times, there = point.times, point.occupancy
    again = occupancy(16, times.outside_us, Locks(1, 2, times.section_us, times.handoff_us))
    assert again.throughput == pytest.approx(there.throughput)
    passing_us = times.section_us + times.handoff_us
    outside, section, spinning = approximate(
        [
            Class(there.outside, 300.0, 8.0),
            Class(there.holders, 4.5, 1.0),
            Class(there.spinners, 0.0, 0.6, cycle_us=passing_us),
        ],
        16,
    )
    assert times.outside_us == pytest.approx(300.0 + outside.residence_us[0], rel=1e-6)
    assert times.section_us == pytest.approx(4.5 + section.residence_us[0], rel=1e-6)
    assert times.handoff_us == pytest.approx(8.0 + spinning.residence_us[0], rel=1e-6)
    used = outside.throughput * 8.0 + section.throughput * 1.0 + spinning.throughput * 0.6
    assert point.bus_utilisation == pytest.approx(used, rel=1e-6)


def test_bus_use_of_spinners_slows_all_processors():
    loud = Demands(Demand(300.0, 8.0), Demand(4.5, 1.0), 1, 2, 8.0, 2.0)
    assert solve(20, loud).times.section_us > solve(20, THREAD).times.section_us
    assert solve(20, loud).occupancy.throughput < solve(20, THREAD).occupancy.throughput


def test_without_a_handoff_as_in_the_paper_the_lock_is_free_at_once():
    with_it, plain = solve(20, THREAD), solve(20, THREAD, handoff=False)
    assert plain.times.handoff_us == 0.0
    assert plain.occupancy.throughput > with_it.occupancy.throughput


def test_an_iteration_that_oscillates_between_two_points_converges():
    """These demands were measured on a machine where a store that misses stalls the processor.

    With whole steps the iteration would alternate between two points.
    """
    outside, section = (
        Demand(119.856708255597, 10.627781405472636),
        Demand(6.5744125, 1.2209),
    )
    handoff_us, spinner_bus_us = 2.423389724106012, 0.7647156762891077
    point = solve(20, Demands(outside, section, 1, 2, handoff_us, spinner_bus_us))
    assert 145 < point.times.outside_us < 306, "the two places"
    assert point.times.section_us == pytest.approx(13.6918, abs=1e-4)


def test_an_oscillation_that_hardly_shrinks_is_damped():
    """Demands of the short runs of Figures 5.2 and 5.3, with some parameter changed."""
    second = (
        Demand(259.61831215018657, 9.112898009950248),
        Demand(6.376295271629779, 1.488832997),
    )
    first = (
        Demand(113.48833896921643, 11.271907649253732),
        Demand(5.7641607505071, 1.40172413),
    )
    assert solve(20, Demands(*first, 1, 2, 0.0, 0.554073037)).times.outside_us < 180
    point = solve(20, Demands(*second, 1, 2, 3.3930716311740454, 1.0116100795295484))
    assert point.times.outside_us == pytest.approx(305.049, abs=1e-3)


def test_no_convergence_is_an_error_with_the_values(monkeypatch):
    monkeypatch.setattr(levels, "MOST_STEPS", 3)
    with pytest.raises(LabError, match="20 processors"):
        solve(20, THREAD)
    monkeypatch.setattr(mva, "MOST_STEPS", 3)
    with pytest.raises(LabError, match="queues"):
        approximate([Class(9, 1.0, 1.0)])
