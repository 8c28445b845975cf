# SPDX-License-Identifier: MIT
"""The queueing model of ALL section 5 (Anderson, Lazowska and Levy, 1989): docs/queueing-model.md.

demands.py  service demands, from runs of the simulator
mva.py      closed networks: exact and approximate mean value analysis
bus.py      lower level: how much longer everything takes since the bus is shared
locks.py    upper level: who waits for a lock
levels.py   both, iterated until they agree
threads.py  all of it for one kind of thread management
"""
