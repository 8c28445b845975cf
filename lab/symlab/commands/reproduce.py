# SPDX-License-Identifier: MIT
"""The command `symlab reproduce`; the docstring of its function is its help text."""

from pathlib import Path
from typing import Annotated

import typer

from symlab.commands.options import Jobs, Program, Scheduler
from symlab.errors import UserError


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
    only_pages: Annotated[
        bool, typer.Option("--pages", help="Run nothing: the paper's pages in docs/ from the CSVs.")
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
    it was stopped. docs/papers/reproduce.md has more.
    """
    from symlab.paper.reproduce import How
    from symlab.paper.reproduce_terminal import reproduce_on_terminal

    modes = {
        "--quick": quick,
        "--gather": only_gather,
        "--pages": only_pages,
        "--spread": with_spread,
        "--sensitivity": with_sensitivity,
    }
    if len(given := [name for name, wanted in modes.items() if wanted]) > 1:
        raise UserError(f"{' and '.join(given)} exclude each other; give one")
    results = out or Path("results/quick" if quick else "results")
    how = How(results, jobs, simulator, scheduler, quick)
    reproduce_on_terminal(paper, figure, next(iter(given), None), how)
