# SPDX-License-Identifier: MIT

from pathlib import Path
from typing import Annotated

from symlab.commands.options import SET, Jobs, option, out
from symlab.terminal import wrote


def calibrate_command(
    folder: Annotated[Path, out("Folder of the results.")] = Path("results/calibration"),
) -> None:
    """Fit the machine's parameters to ALL's Table 3.1.

    Takes half a minute. docs/how-it-works/calibration.md explains the results.
    """
    from symlab_tools.calibration import calibrate

    wrote(*calibrate(folder))


def select_command(
    folder: Annotated[Path, out("Folder of the results.")] = Path("results/calibration"),
    jobs: Jobs = None,
    settings: Annotated[
        list[str] | None,
        option("--set", metavar=SET, help="As for sweep, to run a part of the study."),
    ] = None,
) -> None:
    """Judge five claims for each choice of arbiter and delays.

    No source gives these parameters of the machine. Takes half an hour.
    docs/how-it-works/calibration.md explains the results.
    """
    from symlab.runs.settings import parse_setting

    from symlab_tools.selection import select

    overrides = dict(parse_setting(text) for text in settings or [])
    wrote(select(folder, jobs, overrides))
