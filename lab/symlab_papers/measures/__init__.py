# SPDX-License-Identifier: MIT
"""What the figures of a paper measure in runs, where several figures share it."""
