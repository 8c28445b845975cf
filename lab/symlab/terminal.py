# SPDX-License-Identifier: MIT
"""The terminal that all commands write to. Lines are not wrapped, so that paths can be copied."""

from rich.console import Console

console = Console(highlight=False, soft_wrap=True)
errors = Console(stderr=True, highlight=False, soft_wrap=True)
