# SPDX-License-Identifier: MIT
"""What runs and sweeps leave in their folders, and how it is read: tables, summaries, logs."""
