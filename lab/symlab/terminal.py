# SPDX-License-Identifier: MIT
"""The terminal that all commands write to. Lines are not wrapped, so that paths can be copied."""

import json
from pathlib import Path
from typing import Any

from rich.console import Console

console = Console(highlight=False, soft_wrap=True, markup=False)
errors = Console(stderr=True, highlight=False, soft_wrap=True, markup=False)


def quieten(wanted: bool) -> None:
    """Whether the command prints nothing but errors, and what --json asks for."""
    console.quiet = wanted


def warn(text: str) -> None:
    """One line on standard error; the command continues."""
    errors.print(f"symlab: warning: {text}")


def wrote(*paths: Path | str) -> None:
    """Names the files that a command has written."""
    for path in paths:
        console.print(f"wrote {path}")


def print_json(value: Any) -> None:
    """Prints a result as JSON, also after `quieten`."""
    print(json.dumps(value, indent=1, ensure_ascii=False, default=str))
