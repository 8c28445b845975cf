# SPDX-License-Identifier: MIT
"""The queueing model of ALL section 5 (Anderson, Lazowska and Levy, 1989): docs/queueing-model.md.

demands.py  service demands, from runs of the simulator
mva.py      closed networks: exact and approximate mean value analysis
locks.py    upper level: contention for locks
levels.py   lower level (contention for the bus), and the iteration of both levels
threads.py  the complete model for a strategy, compared with the simulator
"""
