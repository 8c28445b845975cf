# SPDX-License-Identifier: MIT
"""Prints the results of a sweep on the terminal: files, verdicts, failed runs."""

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from symlab.figure import Verdict, shown
from symlab.sweeping import SweepResult

console = Console(highlight=False, soft_wrap=True)
errors = Console(stderr=True, highlight=False, soft_wrap=True)

STATE_COLOURS = {"holds": "green", "fails": "red", "not run": "yellow"}


def report(result: SweepResult) -> int:
    """Prints files, verdicts, problems and failed runs; returns the command's exit code."""
    for path in result.files:
        console.print(f"wrote {path}", markup=False)
    if result.verdicts:
        print_verdicts(result.verdicts)
    for problem in result.problems:
        errors.print(f"symlab: {problem}", markup=False)
    if result.failures:
        errors.print(f"{len(result.failures)} of {len(result.frame)} runs failed:")
        for label, outcome in result.failures:
            errors.print(f"  {label}: {outcome.status}", markup=False)
            if outcome.message:
                errors.print(f"    {outcome.message.splitlines()[-1]}", markup=False)
            if outcome.folder:
                errors.print(f"    see {outcome.folder}", markup=False)
    if result.problems:
        return result.problems[0].exit_code
    return 1 if result.failures else 0


def print_verdicts(verdicts: list[Verdict]) -> None:
    """Prints the verdicts as a table with the value and the bound of each."""
    table = Table("claim", "verdict", "value", "bound", "statement", "note")
    for v in verdicts:
        colour = STATE_COLOURS[v.state]
        cells = (shown(v.value), shown(v.bound), escape(v.statement), escape(v.note))
        table.add_row(v.id, f"[{colour}]{v.state}[/]", *cells)
    Console(highlight=False).print(table)
