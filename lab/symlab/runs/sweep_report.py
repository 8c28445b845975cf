# SPDX-License-Identifier: MIT
"""Prints the results of a sweep on the terminal: files, verdicts, failed runs."""

import json
from dataclasses import asdict
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from symlab.errors import OutputError
from symlab.plot.figure import Verdict
from symlab.results.markdown import shown
from symlab.runs.failures import cause
from symlab.runs.sweeping import SweepResult
from symlab.terminal import console, errors, warn, wrote

NOT_WRITTEN = "output-error"  # status of a run whose files could not be written
STATE_COLOURS = {"holds": "green", "fails": "red", "undecided": "yellow", "not run": "yellow"}


def report(result: SweepResult) -> int:
    """Prints files, verdicts, problems and failed runs; returns the command's exit code."""
    wrote(*result.files)
    if result.verdicts:
        print_verdicts(result.verdicts)
    for note in result.notes:
        warn(note)
    for problem in result.problems:
        errors.print(f"symlab: {problem}")
    if result.failures:
        errors.print(f"{len(result.failures)} of {len(result.frame)} runs failed:")
        for label, outcome in result.failures:
            errors.print(f"  {label}: {outcome.status}")
            if said := cause(outcome.status, outcome.message, outcome.folder):
                errors.print(f"    {said}")
            if outcome.folder:
                errors.print(f"    see {outcome.folder}")
    for curve in result.failed_series:
        if curve.vanished:
            which = f"of this curve finished: {curve.label}" if curve.name else "finished"
            errors.print(f"no run {which}")
    if result.problems:
        return result.problems[0].exit_code
    statuses = {outcome.status for _, outcome in result.failures}
    if NOT_WRITTEN in statuses:
        return OutputError.exit_code
    return 1 if statuses else 0


def print_verdicts(verdicts: list[Verdict]) -> None:
    table = Table("claim", "verdict", "value", "bound", "check", "note")
    for v in verdicts:
        colour = STATE_COLOURS[v.state]
        cells = (shown(v.value), shown(v.bound), escape(v.check), escape(v.note))
        table.add_row(v.id, f"[{colour}]{v.state}[/]", *cells)
    Console(highlight=False, quiet=console.quiet).print(table)


def as_json(result: SweepResult) -> dict[str, Any]:
    """The result for --json: a record for each run, the verdicts, the files."""
    rows = result.frame.to_json(orient="records", double_precision=15)
    return {
        "runs": json.loads(rows),
        "claims": [asdict(verdict) for verdict in result.verdicts],
        "files": list(map(str, result.files)),
    }
