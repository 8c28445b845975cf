# SPDX-License-Identifier: MIT
"""Runs a sweep for `symlab sweep`: progress, results and messages go to the terminal."""

import shlex
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import typer

from symlab.runs.executing import Watcher
from symlab.runs.planned import planned_lines, to_do
from symlab.runs.screen import Screen
from symlab.runs.sweep_report import report
from symlab.runs.sweeping import SweepResult, jobs_at_a_time, plan_sweep, run_sweep
from symlab.terminal import console, errors

MOST_SHOWN = 20  # runs that a dry run lists; further ones are only counted


def sweep_on_terminal(
    config: Path,
    out: Path | None,
    jobs: int | None,
    overrides: Mapping[str, Any],
    simulator: Path | None,
    scheduler: str | None,
) -> None:
    """Runs the sweep and prints its results. Raises LabError, and typer.Exit if a run failed."""
    result = on_screen(
        lambda watcher: run_sweep(config, out, jobs, overrides, simulator, watcher, scheduler),
        jobs,
        scheduler,
    )
    if code := report(result):
        raise typer.Exit(code)


def on_screen(
    make: Callable[[Watcher], SweepResult], jobs: int | None, scheduler: str | None = None
) -> SweepResult:
    """Calls `make` with a watcher that shows the progress. Ctrl-C ends with exit code 130 and
    the command that goes on."""
    at_a_time = None if scheduler else jobs_at_a_time(jobs)
    try:
        with Screen(console, at_a_time) as screen:
            return make(screen.watcher)
    except KeyboardInterrupt:
        again = shlex.join(["symlab", *sys.argv[1:]])
        errors.print(f"stopped; finished runs are kept. To continue: {again}", markup=False)
        raise typer.Exit(130) from None


def plan_on_terminal(
    config: Path,
    out: Path | None,
    jobs: int | None,
    overrides: Mapping[str, Any],
    simulator: Path | None,
) -> None:
    """Prints what the sweep would do, and runs nothing. Raises LabError."""
    tasks = plan_sweep(config, out, jobs, overrides, simulator)
    for line in planned_lines(tasks, jobs_at_a_time(jobs)):
        console.print(line, markup=False)
    runs = to_do(tasks)
    for task in runs[:MOST_SHOWN]:
        console.print(f"would run {task.point.label}", markup=False)
    if len(runs) > MOST_SHOWN:
        console.print(f"and {len(runs) - MOST_SHOWN} more")
