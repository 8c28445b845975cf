# SPDX-License-Identifier: MIT
"""The papers that can be regenerated, a module each: what they claim, row by row."""
