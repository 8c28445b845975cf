# SPDX-License-Identifier: MIT
"""`python -m symlab` is the command `symlab`."""

from symlab.cli import main

main()
