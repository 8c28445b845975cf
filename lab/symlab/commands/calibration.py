# SPDX-License-Identifier: MIT
"""The commands `symlab calibrate` and `symlab select`; their docstrings are their help texts."""

from pathlib import Path
from typing import Annotated

import typer

from symlab.commands.options import Jobs
from symlab.terminal import wrote


def calibrate_command(
    out: Annotated[Path, typer.Option(help="Folder of the results.")] = Path("results/calibration"),
) -> None:
    """Say what ALL's Table 3.1 tells about the machine.

    Half a minute. docs/how-it-works/calibration.md explains what it writes.
    """
    from symlab.paper.calibration import calibrate

    wrote(*calibrate(out))


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
    from symlab.paper.selection import select
    from symlab.runs.settings import parse_setting

    overrides = dict(parse_setting(text) for text in settings or [])
    wrote(select(out, jobs, overrides))
