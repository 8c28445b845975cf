# SPDX-License-Identifier: MIT
"""The models of cache affinity of Steckermeier & Bellosa (1995, "MTH", section 5).

equations.py    their equations
monte_carlo.py  a cache whose misses fall at random, which the equations describe
log.py          what a guest logs: who ran when, the misses, and the lines that threads really have
replay.py       what each model would know in a logged run
scores.py       the models' orders and estimates, compared with the lines
"""
