# SPDX-License-Identifier: MIT

from pathlib import Path
from typing import Annotated

import typer

from symlab.errors import UserError
from symlab.terminal import console, wrote


def plot_command(
    source: Annotated[
        Path, typer.Argument(metavar="CSV|SWEEP", help="A table, or the folder of a sweep.")
    ],
    x: Annotated[str | None, typer.Option(help="Column for the x axis [the first swept].")] = None,
    y: Annotated[
        str | None, typer.Option(help="Column for the y axis [elapsed_us, or the last].")
    ] = None,
    by: Annotated[
        str, typer.Option(help="Columns that select the curve: A,B [all others swept].")
    ] = "",
    where: Annotated[
        list[str] | None,
        typer.Option(help="COLUMN=VALUE: draw only these rows; may be repeated."),
    ] = None,
    title: Annotated[str, typer.Option(help="Title of the figure [name of the table].")] = "",
    log: Annotated[str, typer.Option(help="Logarithmic axes: x, y or both.")] = "none",
    own: Annotated[str, typer.Option(help="Curves to draw thicker than the others: A,B.")] = "",
    out: Annotated[
        Path | None, typer.Option(help="Path of the figure [<table>-<y> beside the table].")
    ] = None,
) -> None:
    """Draw columns of a sweep's table, or of any CSV.

    Writes SVG and PNG. Rows with the same x on the same curve are drawn as their mean, with a bar
    for their spread. docs/reference/sweep-table.md lists the columns of a sweep.
    """
    from symlab.plot.generic import plot_table
    from symlab.plot.look import Look, names

    conditions = [text.partition("=")[::2] for text in where or []]
    for column, value in conditions:
        if not column or not value:
            raise UserError(f"--where {column}: expected column=value, for example lock=read")
    look = Look(title, log=log, own=names(own))
    columns, paths = plot_table(source, x, y, names(by), conditions, out, look)
    curves = f", a curve for each {', '.join(columns.by)}" if columns.by else ""
    console.print(f"{columns.y} over {columns.x or 'the number of the run'}{curves}")
    wrote(*paths)
