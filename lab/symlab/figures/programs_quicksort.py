# SPDX-License-Identifier: MIT
"""Quicksort by threads: speedup by number of processors and strategy."""

from symlab.programs import program

FIGURE = program("quicksort")
