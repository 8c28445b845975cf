# SPDX-License-Identifier: MIT
"""The figures, one module each; `symlab.figure` describes what such a module contains."""
