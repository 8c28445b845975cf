# SPDX-License-Identifier: MIT
"""Least-squares fits for claims about the shape of a curve.

numpy uses different instructions on different hosts, so the last digits of its results differ.
The functions round their results, which makes them equal on all hosts.
"""

import numpy as np

BREAKPOINT_STEP = 0.05  # resolution of the breakpoint, in the unit of x
DIGITS = 9  # significant digits of the results


def _same_everywhere(value: float) -> float:
    return float(f"{value:.{DIGITS}g}")


def line_fit(x: np.ndarray, y: np.ndarray) -> tuple[float, float]:
    """Fits a straight line: (slope, R^2). R^2 is 1 if all `y` are equal."""
    slope, offset = np.polyfit(x, y, 1)
    error, all_variation = np.sum((slope * x + offset - y) ** 2), np.sum((y - y.mean()) ** 2)
    r_squared = 1.0 if all_variation == 0 else 1 - error / all_variation
    return _same_everywhere(slope), _same_everywhere(r_squared)


def curvature(x: np.ndarray, y: np.ndarray) -> float:
    """Fits a parabola and returns its coefficient of x^2, in units of y per x^2."""
    return _same_everywhere(np.polyfit(x, y, 2)[0])


def curvature_spread(x: np.ndarray, spreads: np.ndarray) -> float:
    """The most that `curvature`, which is linear in y, changes if each y does by its spread."""
    weights = np.linalg.pinv(np.vander(x, 3))[0]
    return _same_everywhere(float(np.abs(weights) @ spreads))


def two_line_fit(x: np.ndarray, y: np.ndarray) -> tuple[float, float, float]:
    """Fits two lines that meet: (breakpoint, slope before, slope after). `x` is sorted and has at
    least four points. The breakpoint is from x[1] to x[-2]."""
    best = (np.inf, 0.0, 0.0, 0.0)
    for at in np.arange(x[1], x[-2] + BREAKPOINT_STEP / 2, BREAKPOINT_STEP):
        basis = np.column_stack([np.ones_like(x), x, np.maximum(x - at, 0.0)])
        weights = np.linalg.lstsq(basis, y, rcond=None)[0]
        error = float(np.sum((basis @ weights - y) ** 2))
        if error < best[0]:
            best = (error, float(at), float(weights[1]), float(weights[1] + weights[2]))
    _, at, before, after = best
    return _same_everywhere(at), _same_everywhere(before), _same_everywhere(after)
