# SPDX-License-Identifier: MIT
"""Tools of symsim's authors: benchmarks, pictures and reference of the docs, calibration."""
