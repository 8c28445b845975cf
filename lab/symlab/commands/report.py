# SPDX-License-Identifier: MIT

import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from symlab.commands.options import out
from symlab.terminal import console, wrote


def report_command(
    folders: Annotated[
        list[Path], typer.Argument(metavar="RUN|SWEEP [RUN]", help="Folder of a run or a sweep.")
    ],
    file: Annotated[Path | None, out("File to write [report.html in the folder].")] = None,
    open_page: Annotated[bool, typer.Option("--open", help="Open the page in a browser.")] = False,
) -> None:
    """Write one HTML page about a run, a sweep or two runs.

    The page about two runs compares them. A page is one file and needs no network.
    """
    from symlab.reports import write_report

    page = write_report(folders, file)
    wrote(page)
    if open_page and not webbrowser.open(page.resolve().as_uri()):
        console.print("no browser was found; open the file in one")
