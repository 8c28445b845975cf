# SPDX-License-Identifier: MIT
"""The folder papers/ of the tree as a package: papers.ALL.figures, papers.ALL.pages and so on."""

from symlab.places import PAPERS

__path__ = [str(PAPERS)]
