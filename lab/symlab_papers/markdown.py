# SPDX-License-Identifier: MIT
"""Verdicts in Markdown."""

from symlab.results.markdown import shown


def state_cell(state: str, narrow: bool = False) -> str:
    """The state of a verdict, in bold if the claim fails, in italics if it is undecided. `narrow`:
    whether by less than 5 % of its bound."""
    shown = {"fails": "**fails**", "undecided": "*undecided*"}.get(state, state)
    return f"{shown}, narrowly" if narrow else shown


def measured(value: float | None, note: str) -> str:
    """A value and what it is of; without a value or a note the other one."""
    return ": ".join(text for text in (shown(value), note) if text)
