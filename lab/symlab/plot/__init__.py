# SPDX-License-Identifier: MIT
"""Plots: curves, styles, and a figure of any sweep."""
