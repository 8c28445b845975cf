# SPDX-License-Identifier: MIT
"""Runs: one, or a grid of them on all cores or a cluster; their folders, tables and logs."""
