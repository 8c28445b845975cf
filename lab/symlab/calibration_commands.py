# SPDX-License-Identifier: MIT
"""The commands `symlab calibrate` and `symlab select`; their docstrings are their help texts."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from symlab.options import Jobs

console = Console(highlight=False, soft_wrap=True)


def calibrate_command(
    out: Annotated[Path, typer.Option(help="Folder of the results.")] = Path("results/calibration"),
) -> None:
    """Say what ALL's Table 3.1 tells about the machine.

    Half a minute. docs/calibration.md explains what it writes.
    """
    from symlab.calibration import calibrate

    for path in calibrate(out):
        console.print(f"wrote {path}", markup=False)


def select_command(
    out: Annotated[Path, typer.Option(help="Folder of the results.")] = Path("results/calibration"),
    jobs: Jobs = None,
    settings: Annotated[
        list[str] | None, typer.Option("--set", help="As of sweep, to run a part of the study.")
    ] = None,
) -> None:
    """Say what each structural unknown does to the claims.

    To those that it is selected on; half an hour.
    """
    from symlab import grid
    from symlab.selection import select

    overrides = dict(grid.parse_setting(text) for text in settings or [])
    console.print(f"wrote {select(out, jobs, overrides)}", markup=False)
