# SPDX-License-Identifier: MIT
"""Equations of Steckermeier & Bellosa (1995): known values, and a Monte Carlo of a cache."""

import math

import numpy as np
import pytest
from symlab_papers.affinity.equations import (
    Period,
    crossing,
    exponential,
    exponential_before,
    hyperbolic,
    lines_held,
    lines_left,
    order_turns,
    reload_before,
    reload_transient,
    transient_from,
)
from symlab_papers.affinity.monte_carlo import Caches, mean_lines, mean_reload

FIRST, SECOND = Period(0, 64), Period(64, 80)  # of the paper's Figures 6 and 7


def test_a_hyperbolic_priority_is_the_time_run_by_the_time_waited():
    assert hyperbolic(FIRST, 96) == 2
    assert list(hyperbolic(FIRST, [68, 128])) == [16, 1]


def test_hyperbolic_priorities_cross_where_equation_2_says():
    at = crossing(FIRST, SECOND)
    assert at == pytest.approx(256 / 3)
    assert crossing(SECOND, FIRST) == pytest.approx(at)
    assert hyperbolic(FIRST, at) == pytest.approx(hyperbolic(SECOND, at))
    assert hyperbolic(FIRST, at - 1) < hyperbolic(SECOND, at - 1)
    assert hyperbolic(FIRST, at + 1) > hyperbolic(SECOND, at + 1)


def test_the_denominator_as_printed_would_be_before_both_have_stopped():
    printed = (FIRST.stop - SECOND.start) - (SECOND.stop - SECOND.start)
    assert (SECOND.stop * FIRST.ran - FIRST.stop * SECOND.ran) / printed == -256


def test_threads_that_ran_equally_long_never_cross():
    assert crossing(Period(0, 10), Period(20, 30)) == math.inf


def test_exponential_ageing_halves_and_keeps_the_order():
    assert exponential(FIRST, 80, 2, 0.25) == 4
    assert exponential(SECOND, 80, 2, 0.25) == 16
    late = np.arange(80, 500)
    ratio = exponential(FIRST, late, 2, 0.25) / exponential(SECOND, late, 2, 0.25)
    assert ratio == pytest.approx(np.full(len(late), 0.25))
    assert exponential_before(FIRST, SECOND, 2, 0.25)
    assert not exponential_before(SECOND, FIRST, 2, 0.25)


def test_the_first_miss_brings_a_line_unless_it_falls_on_an_own_one():
    assert lines_held(4, 0, 1) == 1
    assert lines_held(4, 2, 1) == pytest.approx(2.5)
    assert lines_held(4, 4, 7) == 4
    assert lines_left(4, 4, 1) == 3
    assert lines_left(4, 0, 7) == 0
    assert list(lines_left(4, [4, 2], 2)) == [2.25, 1.125]


@pytest.mark.parametrize(("footprint", "misses"), [(100, 50), (500, 1000), (999, 3)])
def test_the_reload_transient_is_equation_7_solved_for_the_misses(footprint: int, misses: int):
    transient = float(reload_transient(1000, footprint, misses))
    left = float(lines_left(1000, footprint, misses))
    assert lines_held(1000, left, transient) == pytest.approx(footprint)
    assert transient_from(1000, footprint, left) == pytest.approx(transient)


def test_the_order_by_reload_transient_changes_if_footprints_differ():
    just_stopped, few_left = (900, 900), (500, 100)
    assert order_turns(1000, just_stopped, few_left) == pytest.approx(95.26, abs=0.01)
    assert order_turns(1000, few_left, just_stopped) == pytest.approx(95.26, abs=0.01)
    gone = math.log(5) / -math.log(0.999)  # misses after which 100 of 500 lines are left
    assert reload_before(1000, (900, 0), (500, gone))
    assert not reload_before(1000, (900, 200), (500, gone + 200))
    assert reload_transient(1000, 900, 200) == pytest.approx(967, abs=0.5)
    assert reload_transient(1000, 500, gone) == pytest.approx(587.5, abs=0.1)
    assert reload_transient(1000, 500, gone + 200) == pytest.approx(607, abs=0.5)


def test_with_equal_footprints_it_never_changes():
    assert math.isnan(order_turns(1000, (500, 400), (500, 100)))


def test_a_monte_carlo_agrees_with_equations_7_and_9_within_1_percent():
    held = mean_lines(Caches(2000, 256, 64, seed=3), True, [1, 100, 300])
    left = mean_lines(Caches(2000, 256, 200, seed=4), False, [1, 100, 300])
    for n in (1, 100, 300):
        assert held[n] == pytest.approx(float(lines_held(256, 64, n)), rel=0.01)
        assert left[n] == pytest.approx(float(lines_left(256, 200, n)), rel=0.01)


def test_a_monte_carlo_agrees_with_equation_10_within_1_percent():
    caches = Caches(2000, 256, 128, seed=5)
    caches.miss(200, own=False)
    expected = float(reload_transient(256, 128, 200))
    assert mean_reload(caches, 128) == pytest.approx(expected, rel=0.01)
    assert (caches.held() >= 128).all()


def test_a_monte_carlo_counts_what_it_owns_and_repeats():
    once, again = Caches(3, 8, 5, seed=1), Caches(3, 8, 5, seed=1)
    assert list(once.held()) == [5, 5, 5]
    for caches in (once, again):
        caches.miss(6, own=True)
        caches.miss(2, own=False)
    assert (once.owned == again.owned).all()
    assert mean_reload(Caches(3, 8, 5, seed=1), 5) == 0
    with pytest.raises(ValueError, match="9 of 8 lines"):
        Caches(1, 8, 9, seed=1)
