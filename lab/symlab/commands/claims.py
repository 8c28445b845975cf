# SPDX-License-Identifier: MIT

from pathlib import Path
from typing import Annotated

import typer


def claims_command(
    csv: Annotated[Path, typer.Argument(help="The CSV that a sweep wrote.")],
    figure: Annotated[
        str | None, typer.Option(help="Figure whose claims are judged [name of the CSV].")
    ] = None,
) -> None:
    """Judge the claims of a figure on a sweep's CSV.

    Writes <name>-claims.json and .md beside the CSV.
    """
    from symlab.paper.claims_terminal import judge_on_terminal

    judge_on_terminal(csv, figure)
