# SPDX-License-Identifier: MIT

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from symlab.commands import options
from symlab.commands.options import names_of, option, out
from symlab.errors import UserError
from symlab.files import read_json
from symlab.terminal import print_json, quieten


class What(StrEnum):
    """What to make of a paper."""

    figures = "figures"
    claims = "claims"
    pages = "pages"
    spread = "spread"
    sensitivity = "sensitivity"
    complete = "complete"
    quick = "quick"


def paper_command(
    paper: Annotated[
        str,
        typer.Argument(
            metavar="PAPER", help="A name of `symlab list papers`.",
            autocompletion=names_of("papers"),
        ),
    ],
    what: Annotated[
        What, typer.Argument(metavar="WHAT", help="One of the words above.")
    ] = What.figures,
    subject: Annotated[
        str,
        typer.Argument(
            metavar="[CLAIM|CSV]", help="After claims: one claim to explain, or a table to judge."
        ),
    ] = "",
    figure: Annotated[
        str | None,
        option("--figure", metavar="NAME",
               help="Only this number, such as 4.1, or this sweep, such as figure-4.1."),
    ] = None,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Remove the runs of earlier times first.")
    ] = False,
    folder: Annotated[
        Path | None,
        out("Folder of the results; each paper has its own in it [papers; quick: results/quick]."),
    ] = None,
    jobs: options.Jobs = None,
    simulator: options.Program = None,
    scheduler: options.Scheduler = None,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
    as_json: options.AsJson = False,
) -> None:  # fmt: skip
    """Make the figures of a paper, and the page of its claims.

    \b
    figures: run the paper's configs at the paper's size.
    claims: run nothing; judge the tables again, and draw the figures.
    pages: run nothing; write the numbers of the paper's pages.
    spread: run only the repeats that measure the spread.
    sensitivity: run only the tests of claims against guesses.
    complete: run spread, sensitivity and figures.
    quick: run all at a small size, in minutes, without verdicts.

    Finished runs are kept, so the same command continues after an interruption.
    docs/papers/reproduce.md has more.
    """
    from symlab.runs.sweeping import Order

    from symlab_papers.explain import explain_or_judge
    from symlab_papers.paper import results_of
    from symlab_papers.reproduce import reproduce

    quieten(quiet or as_json)
    if as_json and what != What.claims:
        raise UserError(f"--json goes with claims, not with {what}")
    if subject:
        if what != What.claims:
            raise UserError(f"{subject}: only claims has a further word: a claim, or a CSV")
        explain_or_judge(subject, figure, as_json)
        return
    parent = folder or (Path("results/quick") if what == What.quick else None)
    order = Order(paper, jobs=jobs, simulator=simulator, scheduler=scheduler)
    reproduce(paper, figure, what, order, parent, fresh, verbose)
    if as_json:
        print_json(read_json(results_of(paper, parent) / "claims.json"))
