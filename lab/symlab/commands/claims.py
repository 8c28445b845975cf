# SPDX-License-Identifier: MIT
"""The command `symlab claims`; the docstring of the function is its help text."""

from pathlib import Path
from typing import Annotated

import typer


def claims_command(
    csv: Annotated[Path, typer.Argument(help="The CSV a sweep wrote.")],
    figure: Annotated[
        str | None, typer.Option(help="Whose claims: a figure's id [the CSV's stem].")
    ] = None,
) -> None:
    """Judge the claims of a figure on a sweep's CSV.

    Writes <name>-claims.json and .md beside it.
    """
    from symlab.paper.claims_terminal import judge_on_terminal

    judge_on_terminal(csv, figure)
