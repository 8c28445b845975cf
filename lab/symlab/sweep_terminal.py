# SPDX-License-Identifier: MIT
"""Runs a sweep for `symlab sweep`: progress, results and messages go to the terminal."""

import shlex
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import typer
from rich.console import Console

from symlab.screen import Screen
from symlab.sweep_report import report
from symlab.sweeping import run_sweep

console = Console(highlight=False, soft_wrap=True)
errors = Console(stderr=True, highlight=False, soft_wrap=True)


def sweep_on_terminal(
    config: Path,
    out: Path | None,
    jobs: int | None,
    overrides: Mapping[str, Any],
    simulator: Path | None,
    scheduler: str | None,
) -> None:
    """Runs the sweep and prints its results. Raises LabError, and typer.Exit if a run failed."""
    try:
        with Screen(console) as screen:
            result = run_sweep(config, out, jobs, overrides, simulator, screen.watcher, scheduler)
    except KeyboardInterrupt:
        again = shlex.join(["symlab", *sys.argv[1:]])
        errors.print(f"stopped; finished runs are kept. To go on: {again}", markup=False)
        raise typer.Exit(130) from None
    if code := report(result):
        raise typer.Exit(code)
