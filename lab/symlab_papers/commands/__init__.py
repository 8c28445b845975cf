# SPDX-License-Identifier: MIT
"""The commands of `symlab` about papers."""
