# SPDX-License-Identifier: MIT
"""Verdicts in words and in Markdown: each, and how many there are, predictions apart."""

from collections import Counter
from collections.abc import Iterable, Sequence

from symlab.results.markdown import shown, table

SET_UP, PREDICTION = "set-up", "prediction"
# What a claim says of the simulator. Parameters were fitted to it, or options selected on it; or it
# is true by the configuration, by arithmetic or an equation, or by what our program is written to
# do; or none of these, so that it could have come out otherwise.
KINDS = ("fitted", "selected on", SET_UP, PREDICTION)
# Verdict -> how one claim and how several are counted.
WORDS = {
    "holds": ("holds", "hold"),
    "fails": ("fails", "fail"),
    "undecided": ("is undecided", "are undecided"),
    "not run": ("was not run", "were not run"),
}


def counted(states: Iterable[str]) -> str:
    """The verdicts in words: `62 hold, 17 fail`."""
    of = Counter(states)
    found = ((of[state], words) for state, words in WORDS.items() if of[state])
    return ", ".join(f"{number} {words[number > 1]}" for number, words in found)


def by_kind(claims: Sequence[tuple[str, str, str]]) -> list[str]:
    """The lines of a table of verdicts by kind. `claims`: id, kind and verdict of each."""
    rows = []
    for kind in KINDS:
        states = Counter(state for _, of, state in claims if of == kind)
        ids = ", ".join(number for number, of, _ in claims if of == kind)
        which = "all others" if kind == PREDICTION else ids
        rows.append((kind, str(states.total()), *(str(states[state]) for state in WORDS), which))
    return table(("Claims", "Number", *WORDS, "Which"), rows)


def state_cell(state: str, narrow: bool = False) -> str:
    """The state of a verdict, in bold if the claim fails, in italics if it is undecided. `narrow`:
    whether by less than 5 % of its bound."""
    shown = {"fails": "**fails**", "undecided": "*undecided*"}.get(state, state)
    return f"{shown}, narrowly" if narrow else shown


def measured(value: float | None, note: str) -> str:
    """A value and what it is of; without a value or a note the other one."""
    return ": ".join(text for text in (shown(value), note) if text)
