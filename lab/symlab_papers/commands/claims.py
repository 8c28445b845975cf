# SPDX-License-Identifier: MIT

from pathlib import Path
from typing import Annotated

import typer
from symlab.errors import UserError
from symlab.terminal import wrote


def claims_command(
    csv: Annotated[Path, typer.Argument(help="The CSV that a sweep wrote.")],
    figure: Annotated[
        str | None, typer.Option(help="Figure whose claims are judged [name of the CSV].")
    ] = None,
) -> None:
    """Judge the claims of a figure on a sweep's CSV.

    Writes <name>-claims.json and .md beside the CSV.
    """
    from symlab.files import write_all
    from symlab.plot.finding import find_figure
    from symlab.results.loading import read_table
    from symlab.runs.sweep_report import print_verdicts

    name = csv.name.removesuffix(".csv")
    runs = read_table(csv)
    found = find_figure(figure or name, [])
    if not found.claims:
        raise UserError(f"no claims are known for {figure or name}; name a figure with --figure")
    verdicts = found.judge(runs)
    wrote(*write_all(csv.parent, found.files_of(verdicts, name)))
    print_verdicts(verdicts)
