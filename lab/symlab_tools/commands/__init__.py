# SPDX-License-Identifier: MIT
"""The commands of `symlab` for the authors, which its help does not list."""
