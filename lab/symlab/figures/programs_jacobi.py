# SPDX-License-Identifier: MIT
"""Jacobi's method by threads: speedup by number of processors and strategy."""

from symlab.programs import program

FIGURE = program("jacobi")
