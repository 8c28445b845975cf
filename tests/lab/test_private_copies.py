# SPDX-License-Identifier: MIT
"""The bus demand that is inferred from the slowdown of private copies."""

import pytest
from symlab_papers.model.private_copies import inferred_demand, modelled_slowdown


def test_two_processors_with_a_fifth_of_their_time_at_the_bus():
    """With 2 of 10 us on the bus and two customers, R = 2 (1 + 2/10): the slowdown is 0.04."""
    assert modelled_slowdown(2, 10.0, 2.0) == pytest.approx(0.04)
    assert modelled_slowdown(1, 10.0, 2.0) == pytest.approx(0.0)


@pytest.mark.parametrize("bus_us", [0.05, 1.0, 5.4, 25.0, 49.0])
@pytest.mark.parametrize("processors", [(1, 2), (1, 8), (1, 2, 4, 6, 8, 12, 16, 20)])
def test_a_curve_of_the_model_gives_its_own_demand(bus_us, processors):
    times = {p: 50 * (1 + modelled_slowdown(p, 50.0, bus_us)) for p in processors}
    assert inferred_demand(times) == pytest.approx(bus_us, rel=1e-4)


def test_a_saturated_bus_gives_its_service_time():
    """Copies without random gaps: no slowdown until the bus is full, then P times the demand."""
    times = {p: max(50.0, 5 * p) for p in (1, 20, 40, 80)}
    assert inferred_demand(times) == pytest.approx(5, rel=0.01)


def test_without_a_slowdown_there_is_no_demand():
    assert inferred_demand({1: 50.0, 8: 50.0}) == pytest.approx(0, abs=0.05)
    with pytest.raises(ValueError, match="one processor alone"):
        inferred_demand({1: 50.0})
    with pytest.raises(KeyError):
        inferred_demand({2: 50.0})
