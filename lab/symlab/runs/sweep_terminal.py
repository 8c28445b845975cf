# SPDX-License-Identifier: MIT
"""Runs a sweep for `symlab sweep`: progress, files, verdicts and failed runs on the terminal."""

import json
import shlex
import sys
from collections.abc import Callable
from dataclasses import asdict
from typing import Any, NoReturn

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from symlab.errors import OutputError
from symlab.plot.figure import Verdict
from symlab.results.markdown import shown
from symlab.runs.executing import Watcher
from symlab.runs.failures import cause
from symlab.runs.planned import planned_lines, to_do
from symlab.runs.screen import Screen, planning_line
from symlab.runs.sweeping import Order, SweepResult, jobs_at_a_time, plan_sweep, run_sweep
from symlab.terminal import console, errors, print_json, warn, wrote

MOST_SHOWN = 20  # runs that a dry run lists; further ones are only counted


def sweep_on_terminal(order: Order, verbose: bool = False, json: bool = False) -> None:
    """Runs the sweep and prints its results. Raises LabError, and typer.Exit if a run failed."""
    jobs = None if order.scheduler else jobs_at_a_time(order.jobs)
    result = on_screen(lambda watcher: run_sweep(order, watcher), jobs, verbose)
    code = report(result)
    if json:
        print_json(as_json(result))
    if code:
        raise typer.Exit(code)


def on_screen(
    make: Callable[[Watcher], SweepResult], jobs: int | None, verbose: bool = False
) -> SweepResult:
    """Calls `make` with a watcher that shows the progress. Ctrl-C ends with exit code 130 and
    the command that continues. `jobs`: runs at a time, None if not known. `verbose`: see Screen."""
    try:
        with Screen(console, jobs, verbose=verbose) as screen:
            return make(screen.watcher)
    except KeyboardInterrupt:
        stopped()


def stopped() -> NoReturn:
    """After Ctrl-C: prints the command that continues, and ends with exit code 130."""
    again = shlex.join(["symlab", *sys.argv[1:]])
    errors.print(f"stopped; finished runs are kept. To continue: {again}")
    raise typer.Exit(130) from None


def plan_on_terminal(order: Order) -> None:
    """Prints what the sweep would do, and runs nothing. Raises LabError."""
    tasks = plan_sweep(order, planning_line(console.print))
    for line in planned_lines(tasks, jobs_at_a_time(order.jobs)):
        console.print(line)
    runs = to_do(tasks)
    for task in runs[:MOST_SHOWN]:
        console.print(f"would run {task.point.label}")
    if len(runs) > MOST_SHOWN:
        console.print(f"and {len(runs) - MOST_SHOWN} more")


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
