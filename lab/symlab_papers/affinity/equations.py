# SPDX-License-Identifier: MIT
"""Equations 1 to 11 of MTH section 5: how the affinity of a thread to a cache ages.

Sections 5.2.1: the time for which a thread ran, aged by the time since it stopped. All times have
the same unit, any. Section 5.3: the lines that it has in a direct-mapped cache of N lines, if each
miss falls on any line with the same probability. Lines are expected numbers, not rounded.

Arguments and results may be numbers or numpy arrays that broadcast; a test compares the guest's
fixed-point versions (guest/threads/affinity/, reload_transient.h) with the same equations.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


class Period(NamedTuple):
    """When a thread last started and stopped."""

    start: float
    stop: float

    @property
    def ran(self) -> float:
        return self.stop - self.start


def hyperbolic(period: Period, t: ArrayLike) -> Floats:
    """Equation 1: priority at `t`, later than the stop; no unit."""
    return period.ran / (np.asarray(t, dtype=float) - period.stop)


def crossing(i: Period, j: Period) -> float:
    """Equation 2: when the hyperbolic priorities of two threads are equal. The paper prints (stop_i
    - start_j) - (stop_j - start_j) as the denominator. Equation 1 gives (stop_i - start_i) -
    (stop_j - start_j). Infinite if both ran equally long: they never meet."""
    if i.ran == j.ran:
        return float("inf")
    return (j.stop * i.ran - i.stop * j.ran) / (i.ran - j.ran)


def exponential(period: Period, t: ArrayLike, k: float, a: float) -> Floats:
    """Equation 3: priority at `t`, in the unit of the times. `k` > 1; `a` > 0, per unit of time."""
    return period.ran / k ** (a * (np.asarray(t, dtype=float) - period.stop))


def exponential_before(i: Period, j: Period, k: float, a: float) -> bool:
    """Equation 4: whether thread i has the lower exponential priority, at every t. It compares the
    priorities at the moment when j stopped."""
    return bool(exponential(i, j.stop, k, a) < exponential(j, j.stop, k, a))


def kept(lines: float) -> float:
    """K = (N - 1) / N of a cache of N `lines`: the probability that a miss spares a line."""
    return (lines - 1) / lines


def lines_held(lines: float, i: ArrayLike, misses: ArrayLike) -> Floats:
    """Equation 7: lines of a thread that had `i` of N `lines`, after `misses` of its own."""
    return lines - (lines - np.asarray(i, dtype=float)) * kept(lines) ** np.asarray(misses)


def lines_left(lines: float, i: ArrayLike, misses: ArrayLike) -> Floats:
    """Equation 9: lines of a thread that had `i` of N `lines`, after `misses` of others."""
    return np.asarray(i, dtype=float) * kept(lines) ** np.asarray(misses)


def reload_transient(lines: float, footprint: ArrayLike, misses: ArrayLike) -> Floats:
    """Equation 10: own misses that bring a thread back to its `footprint` of E lines, E < N.
    `misses`: of others since it stopped with the footprint. It is Equation 7 solved for the misses
    from what Equation 9 leaves to E (claim MTH-21)."""
    there = np.asarray(footprint, dtype=float)
    left = lines_left(lines, there, misses)
    return np.log((lines - there) / (lines - left)) / np.log(kept(lines))


def transient_from(lines: float, footprint: ArrayLike, left: ArrayLike) -> Floats:
    """Equation 10 from the lines that are left, instead of from the misses since the stop."""
    there, here = (np.asarray(value, dtype=float) for value in (footprint, left))
    return np.log((lines - there) / (lines - here)) / np.log(kept(lines))


def reload_before(lines: float, i: tuple[float, float], j: tuple[float, float]) -> bool:
    """Equation 11: whether thread i has the higher priority: it has the shorter transient. Each
    thread is its footprint and the misses of others since it stopped."""
    return bool(reload_transient(lines, *i) < reload_transient(lines, *j))


def order_turns(lines: float, i: tuple[float, float], j: tuple[float, float]) -> float:
    """After how many further misses of others the transients of two threads are equal.

    Each thread is its footprint and the lines that it has left. The transients are equal where
    u = K^misses solves (N - E_i) (N - u L_j) = (N - E_j) (N - u L_i). NaN if no misses lead there:
    then the order never changes, as with equal footprints.
    """
    (footprint_i, left_i), (footprint_j, left_j) = i, j
    free_i, free_j = lines - footprint_i, lines - footprint_j
    turns = free_j * left_i - free_i * left_j
    u = lines * (free_j - free_i) / turns if turns else 0.0
    return float(np.log(u) / np.log(kept(lines))) if 0 < u <= 1 else float("nan")
