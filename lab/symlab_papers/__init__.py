# SPDX-License-Identifier: MIT
"""Papers: their figures, claims and verdicts, and the page of them all."""
