# SPDX-License-Identifier: MIT
"""The figures, one module each; `symlab.paper.figure` describes what such a module contains."""
