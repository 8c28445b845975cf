# SPDX-License-Identifier: MIT
"""A pipeline of threads: speedup by number of processors and strategy."""

from symlab.programs import program

FIGURE = program("pipeline")
