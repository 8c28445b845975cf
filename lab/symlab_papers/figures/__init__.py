# SPDX-License-Identifier: MIT
"""The figures, one module each; finding.py says what such a module contains."""
