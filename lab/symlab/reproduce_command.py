# SPDX-License-Identifier: MIT
"""The command `symlab reproduce`."""

import shlex
import sys
import time
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from symlab.gather import gather
from symlab.paper import Part, find_paper, parts
from symlab.quick import quick_tables
from symlab.reproduce import How, Progress, make
from symlab.screen import Screen, clock
from symlab.sweep_report import report

console = Console(highlight=False, soft_wrap=True)
errors = Console(stderr=True, highlight=False, soft_wrap=True)

RESULTS, QUICK = Path("results"), Path("results/quick")


def reproduce_command(
    paper: Annotated[str, typer.Argument(help="Which paper: a folder of configs/figures, ALL.")],
    figure: Annotated[
        str | None,
        typer.Option(help="Only what has this number, 4.1, or the one sweep figure-4.1 [all]."),
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="A small size of each, minutes in all; no verdicts.")
    ] = False,
    only_gather: Annotated[
        bool, typer.Option("--gather", help="Run nothing: figures and claims from the CSVs there.")
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option(help="Folder of folders of results [results; quick: results/quick]."),
    ] = None,
    jobs: Annotated[int | None, typer.Option(help="Runs at a time [all host cores].")] = None,
    simulator: Annotated[
        Path | None, typer.Option(help="The symsim binary [$SYMSIM_BINARY or ./symsim].")
    ] = None,
    scheduler: Annotated[
        str | None,
        typer.Option(help="Address of a dask.distributed cluster to run on: tcp://HOST:PORT."),
    ] = None,
) -> None:
    """Every table and figure of PAPER from its configs, and the page of its claims.

    What is finished is kept; the same command goes on where it was stopped.
    """
    found = find_paper(paper)
    everything = parts(found)
    results = out or (QUICK if quick else RESULTS)
    failed: list[str] = []
    if not only_gather:
        how = How(results, jobs, simulator, scheduler, quick)
        try:
            failed = _make(parts(found, figure), how, results / paper)
        except KeyboardInterrupt:
            again = shlex.join(["symlab", *sys.argv[1:]])
            errors.print(f"stopped; finished runs are kept. To go on: {again}", markup=False)
            raise typer.Exit(130) from None
    files = (quick_tables if quick else gather)(found, everything, results)
    for path in files:
        console.print(f"wrote {path}", markup=False)
    if failed:
        errors.print(f"failed: {', '.join(failed)}", markup=False)
        raise typer.Exit(1)


def _make(chosen: list[Part], how: How, folder: Path) -> list[str]:
    """Runs the sweeps of the parts; returns the names of those with runs or files that failed."""
    progress, failed = Progress.of(chosen, folder), []
    begin_s = time.monotonic()
    for number, part in enumerate(chosen, 1):
        left_s = progress.left_s()
        left = "" if left_s is None else f", at most about {clock(left_s)} left"
        elapsed = clock(time.monotonic() - begin_s)
        console.rule(
            f"{part.title}, {number} of {len(chosen)}; {elapsed} elapsed{left}", align="left"
        )
        made = make(part, how, lambda: Screen(console))
        progress.over(part, made)
        if report(made.result):
            failed.append(part.name)
    return failed
