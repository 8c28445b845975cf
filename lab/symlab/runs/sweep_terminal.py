# SPDX-License-Identifier: MIT
"""Runs a sweep for `symlab sweep`: progress, results and messages go to the terminal."""

import shlex
import sys
from collections.abc import Callable
from typing import NoReturn

import typer

from symlab.runs.executing import Watcher
from symlab.runs.planned import planned_lines, to_do
from symlab.runs.screen import Screen, planning_line
from symlab.runs.sweep_report import as_json, report
from symlab.runs.sweeping import Order, SweepResult, jobs_at_a_time, plan_sweep, run_sweep
from symlab.terminal import console, errors, print_json

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
