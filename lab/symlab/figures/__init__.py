# SPDX-License-Identifier: MIT
"""One module a figure; see `symlab.figure`."""
