# SPDX-License-Identifier: MIT

from pathlib import Path
from typing import Annotated

import typer

from symlab.commands.options import option, out
from symlab.errors import UserError
from symlab.terminal import console, wrote


def plot_command(
    source: Annotated[
        Path, typer.Argument(metavar="CSV|SWEEP", help="A table, or the folder of a sweep.")
    ],
    x: Annotated[
        str | None, option("--x", metavar="COLUMN", help="Column for the x axis [first swept].")
    ] = None,
    y: Annotated[
        str | None,
        option("--y", metavar="COLUMN", help="Column for the y axis [elapsed_us, or the last]."),
    ] = None,
    by: Annotated[
        str,
        option("--by", metavar="COLUMN,...",
               help="Columns that tell curves apart [all others swept]."),
    ] = "",
    where: Annotated[
        list[str] | None,
        option("--where", metavar="COLUMN=VALUE", help="Draw only these rows; may be repeated."),
    ] = None,
    title: Annotated[
        str, option("--title", metavar="TEXT", help="Title of the figure [name of the table].")
    ] = "",
    log: Annotated[
        str, option("--log", metavar="AXES", help="Logarithmic axes: x, y or both.")
    ] = "none",
    own: Annotated[
        str, option("--own", metavar="CURVE,...", help="Curves to draw thicker than the others.")
    ] = "",
    file: Annotated[
        Path | None,
        out("File to write, as .svg and as .png [TABLE-COLUMN beside the table]."),
    ] = None,
) -> None:  # fmt: skip
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
    columns, paths = plot_table(source, x, y, names(by), conditions, file, look)
    curves = f", a curve for each {', '.join(columns.by)}" if columns.by else ""
    console.print(f"{columns.y} over {columns.x or 'the number of the run'}{curves}")
    wrote(*paths)
