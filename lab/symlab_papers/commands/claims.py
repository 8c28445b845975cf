# SPDX-License-Identifier: MIT

from pathlib import Path
from typing import Annotated

import typer
from symlab.errors import UserError
from symlab.terminal import console, wrote


def claims_command(
    csv: Annotated[
        Path, typer.Argument(metavar="CSV|CLAIM", help="The CSV that a sweep wrote, or a claim.")
    ],
    figure: Annotated[
        str | None, typer.Option(help="Figure whose claims are judged [name of the CSV].")
    ] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Of a claim: its check, values, spreads and verdict.")
    ] = False,
) -> None:
    """Judge the claims of a figure, or explain one claim.

    Writes <name>-claims.json and .md beside the CSV. `symlab claims ALL-46 --explain` prints what
    the paper says, the check and its code, the values and spreads it compares, and the margin.
    """
    from symlab.files import write_all
    from symlab.plot.figure import find_figure
    from symlab.results.loading import read_table
    from symlab.runs.sweep_report import print_verdicts

    from symlab_papers.explain import explained, is_claim

    if explain or is_claim(str(csv)):
        if not is_claim(str(csv)):
            raise UserError(f"{csv}: --explain goes with the number of a claim, such as ALL-46")
        console.print("\n".join(explained(str(csv))))
        return
    name = csv.name.removesuffix(".csv")
    runs = read_table(csv)
    found = find_figure(figure or name, [])
    if not found.claims:
        raise UserError(f"no claims are known for {figure or name}; name a figure with --figure")
    verdicts = found.judge(runs)
    wrote(*write_all(csv.parent, found.files_of(verdicts, name)))
    print_verdicts(verdicts)
