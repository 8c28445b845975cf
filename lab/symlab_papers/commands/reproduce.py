# SPDX-License-Identifier: MIT

from pathlib import Path
from typing import Annotated

import typer
from symlab.commands.options import Jobs, Program, Scheduler
from symlab.errors import UserError


def reproduce_command(
    paper: Annotated[
        str,
        typer.Argument(
            help="Short name of the paper: ALL (Anderson, Lazowska & Levy), WKS (Wisniewski, "
            "Kontothanassis & Scott), URPC (Bershad, Anderson, Lazowska & Levy) or MTH "
            "(Steckermeier & Bellosa)."
        ),
    ],
    figure: Annotated[
        str | None,
        typer.Option(help="Only this number, such as 4.1, or this sweep, such as figure-4.1."),
    ] = None,
    complete: Annotated[
        bool,
        typer.Option("--complete", help="Run also what --spread and --sensitivity run, first."),
    ] = False,
    quick: Annotated[
        bool, typer.Option("--quick", help="All at a small size, in minutes; no verdicts.")
    ] = False,
    only_gather: Annotated[
        bool, typer.Option("--gather", help="Run nothing; make figures and claims from the CSVs.")
    ] = False,
    only_pages: Annotated[
        bool, typer.Option("--pages", help="Run nothing; write the numbers of the paper's pages.")
    ] = False,
    with_spread: Annotated[
        bool, typer.Option("--spread", help="Run only the repeats that measure the spread.")
    ] = False,
    with_sensitivity: Annotated[
        bool,
        typer.Option("--sensitivity", help="Run only the tests of claims against guesses."),
    ] = False,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Remove the runs of earlier times first.")
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option(help="Parent folder of the results [in papers; quick: results/quick]."),
    ] = None,
    jobs: Jobs = None,
    simulator: Program = None,
    scheduler: Scheduler = None,
) -> None:
    """Make every figure of a paper, and the page of its claims.

    Runs the paper's configs at the paper's size. Finished runs are kept, so the same command
    continues after an interruption. docs/papers/reproduce.md has more.
    """
    from symlab.runs.sweeping import Order

    from symlab_papers.reproduce_terminal import reproduce_on_terminal

    modes = {
        "--complete": complete,
        "--quick": quick,
        "--gather": only_gather,
        "--pages": only_pages,
        "--spread": with_spread,
        "--sensitivity": with_sensitivity,
    }
    if len(given := [name for name, wanted in modes.items() if wanted]) > 1:
        raise UserError(f"{' and '.join(given)} exclude each other; give one")
    out = out or (Path("results/quick") if quick else None)
    order = Order(paper, jobs=jobs, simulator=simulator, scheduler=scheduler)
    reproduce_on_terminal(paper, figure, next(iter(given), None), order, out, fresh)
