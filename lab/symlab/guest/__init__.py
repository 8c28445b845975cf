# SPDX-License-Identifier: MIT
"""Guest programs: compiled for the simulated machine, built on demand, begun from a skeleton."""
