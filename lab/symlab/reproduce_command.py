# SPDX-License-Identifier: MIT
"""The command `symlab reproduce`; the docstring of its function is its help text."""

import shlex
import sys
import time
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from symlab import sensitivity, spread
from symlab.errors import UserError
from symlab.gather import gather
from symlab.headlines import HEADLINES
from symlab.options import Jobs, Program, Scheduler
from symlab.paper import Paper, Part, find_paper, parts
from symlab.quick import quick_tables
from symlab.reproduce import How, Progress, make, make_sensitivity, make_spread
from symlab.screen import Screen, clock
from symlab.simulator import Simulator
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
    with_spread: Annotated[
        bool, typer.Option("--spread", help="Run only what tells the run-to-run spread.")
    ] = False,
    with_sensitivity: Annotated[
        bool,
        typer.Option("--sensitivity", help="Run only what tells which claims rest on guesses."),
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option(help="Folder of folders of results [results; quick: results/quick]."),
    ] = None,
    jobs: Jobs = None,
    simulator: Program = None,
    scheduler: Scheduler = None,
) -> None:
    """Make every figure of a paper, and the page of its claims.

    From its configs, at the paper's size. What is finished is kept; the same command goes on where
    it was stopped. docs/sweeps.md has more.
    """
    found = find_paper(paper)
    everything, chosen = parts(found), parts(found, figure)
    results = out or (QUICK if quick else RESULTS)
    how = How(results, jobs, simulator, scheduler, quick)
    modes = {
        "--quick": quick,
        "--gather": only_gather,
        "--spread": with_spread,
        "--sensitivity": with_sensitivity,
    }
    if len(given := [name for name, wanted in modes.items() if wanted]) > 1:
        raise UserError(f"{' and '.join(given)} exclude each other; give one")
    failed: list[str] = []
    try:
        if with_spread:
            failed = _spread(chosen, how, results / paper)
        elif with_sensitivity:
            failed = _sensitivity(found, chosen, how, results / paper)
        elif not only_gather:
            failed = _make(chosen, how, results / paper)
    except KeyboardInterrupt:
        again = shlex.join(["symlab", *sys.argv[1:]])
        errors.print(f"stopped; finished runs are kept. To go on: {again}", markup=False)
        raise typer.Exit(130) from None
    files = (quick_tables if quick else gather)(found, everything, results)
    console.print(f"wrote {len(files)} files, the last {files[-1]}", markup=False)
    if failed:
        errors.print(f"failed: {', '.join(failed)}", markup=False)
        raise typer.Exit(1)


def _make(chosen: list[Part], how: How, folder: Path) -> list[str]:
    """Runs the sweeps of the parts; returns the names of the parts with failed runs or files."""
    progress, failed = Progress.of(chosen, folder), []
    begin_s = time.monotonic()
    for number, part in enumerate(chosen, 1):
        left_s = progress.left_s()
        left = "" if left_s is None else f", at most about {clock(left_s)} left"
        elapsed = clock(time.monotonic() - begin_s)
        size = ", quick" if how.quick else ""
        console.rule(
            f"{part.title}{size}, {number} of {len(chosen)}; {elapsed} elapsed{left}", align="left"
        )
        made = make(part, how, lambda: Screen(console))
        progress.over(part, made)
        if report(made.result):
            failed.append(part.name)
    return failed


def _spread(chosen: list[Part], how: How, folder: Path) -> list[str]:
    repeated = [part for part in chosen if part.figure.reduced]
    tables, failed = [], []
    for number, part in enumerate(repeated, 1):
        console.rule(f"Spread of {part.title}, {number} of {len(repeated)}", align="left")
        result = make_spread(part, how, folder, lambda: Screen(console)).result
        if result.failures:
            report(result)
            failed.append(part.name)
        tables.append(spread.measured(part, part.figure.series(result.frame)))
    console.print(f"wrote {spread.write_spreads(folder, tables)}", markup=False)
    return failed


def _sensitivity(paper: Paper, chosen: list[Part], how: How, folder: Path) -> list[str]:
    guesses = sensitivity.load_guesses(paper, Simulator(how.simulator))
    of = {part.name: part for part in chosen}
    rows: list[dict[str, Any]] = []
    failed: list[str] = []
    for headline in HEADLINES[paper.name]:
        if headline.part not in of:
            continue
        console.rule(f"Sensitivity of {of[headline.part].title}", align="left")
        made = make_sensitivity(
            of[headline.part], headline, guesses, how, folder, lambda: Screen(console)
        )
        failed += [name for name, each in made.items() if each.result.failures]
        frames = {name: each.result.frame for name, each in made.items()}
        rows += sensitivity.judged(headline, guesses, frames)
    console.print(f"wrote {sensitivity.write_sensitivity(folder, rows)}", markup=False)
    return failed
