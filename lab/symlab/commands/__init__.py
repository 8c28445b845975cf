# SPDX-License-Identifier: MIT
"""The commands of `symlab`, one module each: options and help texts only."""
