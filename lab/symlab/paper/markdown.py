# SPDX-License-Identifier: MIT
"""Tables and numbers in Markdown."""

from collections.abc import Iterable, Sequence


def table(head: Sequence[str], rows: Iterable[Iterable[str]]) -> list[str]:
    """The lines of a table; `|` in cells is escaped."""
    return [_line(head), "|" + "---|" * len(head), *map(_line, rows)]


def shown(number: float | None) -> str:
    """The number with four significant digits; empty for None."""
    return "" if number is None else f"{number:.4g}"


def state_cell(state: str) -> str:
    """The state of a verdict, in bold if the claim fails, in italics if it is undecided."""
    return {"fails": "**fails**", "undecided": "*undecided*"}.get(state, state)


def measured(value: float | None, note: str) -> str:
    """A value and what it is of; without a value or a note the other one."""
    return ": ".join(text for text in (shown(value), note) if text)


def _line(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
