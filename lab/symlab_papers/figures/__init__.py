# SPDX-License-Identifier: MIT
"""The figures, one module each; `symlab_papers.figure` describes what such a module contains."""
