# SPDX-License-Identifier: MIT
"""The command `symlab report`; the docstring of the function is its help text."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

console = Console(highlight=False, soft_wrap=True)


def report_command(
    folders: Annotated[
        list[Path], typer.Argument(metavar="RUN|SWEEP [RUN]", help="Folder of a run or a sweep.")
    ],
    out: Annotated[Path | None, typer.Option(help="The file [report.html in the folder].")] = None,
) -> None:
    """Write one HTML page about a run, a sweep or two runs.

    Two are compared. The page needs no network.
    """
    from symlab.report import write_report

    console.print(f"wrote {write_report(folders, out)}", markup=False)
