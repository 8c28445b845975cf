# SPDX-License-Identifier: MIT
"""Tables and numbers in Markdown."""

from collections.abc import Iterable, Sequence


def table(head: Sequence[str], rows: Iterable[Iterable[str]]) -> list[str]:
    """The lines of a table; `|` in cells is escaped."""
    return [_line(head), "|" + "---|" * len(head), *map(_line, rows)]


def shown(number: float | None) -> str:
    """The number with four significant digits; empty for None."""
    return "" if number is None else f"{number:.4g}"


def _line(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
