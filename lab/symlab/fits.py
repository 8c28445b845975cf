# SPDX-License-Identifier: MIT
"""Least-squares fits behind claims about shape.

numpy solves them by other instructions on other hosts, so their last digits differ: what is returned
is rounded, and is the same on all.
"""

import numpy as np

BREAKPOINT_STEP = 0.05  # of x; resolution of the breakpoint
DIGITS = 9  # significant, of what is returned


def _same_everywhere(value: float) -> float:
    return float(f"{value:.{DIGITS}g}")


def line_fit(x: np.ndarray, y: np.ndarray) -> tuple[float, float]:
    """Straight line: (slope, R^2). R^2 is 1 of data without any variation."""
    slope, offset = np.polyfit(x, y, 1)
    error, all_variation = np.sum((slope * x + offset - y) ** 2), np.sum((y - y.mean()) ** 2)
    r_squared = 1.0 if all_variation == 0 else 1 - error / all_variation
    return _same_everywhere(slope), _same_everywhere(r_squared)


def curvature(x: np.ndarray, y: np.ndarray) -> float:
    """Coefficient of x^2 in the parabola through the points, in y per x^2."""
    return _same_everywhere(np.polyfit(x, y, 2)[0])


def two_line_fit(x: np.ndarray, y: np.ndarray) -> tuple[float, float, float]:
    """Two lines that meet: (breakpoint, slope before, slope after).

    The breakpoint leaves at least two of the sorted points `x` on each side.
    """
    best = (np.inf, 0.0, 0.0, 0.0)
    for at in np.arange(x[1], x[-2] + BREAKPOINT_STEP / 2, BREAKPOINT_STEP):
        basis = np.column_stack([np.ones_like(x), x, np.maximum(x - at, 0.0)])
        weights = np.linalg.lstsq(basis, y, rcond=None)[0]
        error = float(np.sum((basis @ weights - y) ** 2))
        if error < best[0]:
            best = (error, float(at), float(weights[1]), float(weights[1] + weights[2]))
    _, at, before, after = best
    return _same_everywhere(at), _same_everywhere(before), _same_everywhere(after)
