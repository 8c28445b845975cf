# SPDX-License-Identifier: MIT
"""The simulator's own speed."""
