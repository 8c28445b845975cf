# SPDX-License-Identifier: MIT
"""Makes `python -m symlab` the same as the command `symlab`."""

from symlab.cli import main

main()
