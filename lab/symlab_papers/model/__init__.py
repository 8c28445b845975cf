# SPDX-License-Identifier: MIT
"""The queueing model of ALL section 5.

demands.py  service demands, from runs of the simulator
mva.py      closed networks: exact and approximate mean value analysis
locks.py    upper level: contention for locks
levels.py   lower level (contention for the bus), and the iteration of both levels
threads.py  the complete model for a strategy, compared with the simulator
"""
