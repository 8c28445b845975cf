# SPDX-License-Identifier: MIT

from pathlib import Path
from typing import Annotated

import typer

from symlab.commands.options import Jobs, Program, Scheduler, Settings, Strict
from symlab.runs.grid import MOST_POINTS


def sweep_command(
    config: Annotated[
        Path, typer.Argument(help="TOML file; its table [sweep] or --set has the axes.")
    ],
    out: Annotated[
        Path | None, typer.Option(help="Folder of the results [results/<config stem>].")
    ] = None,
    jobs: Jobs = None,
    settings: Settings = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print the runs to make; run nothing.")
    ] = False,
    most_points: Annotated[
        int, typer.Option("--most-points", help="A grid with more points is refused.")
    ] = MOST_POINTS,
    strict: Strict = True,
    simulator: Program = None,
    scheduler: Scheduler = None,
) -> None:
    """Run the grid of a config, on all cores or a cluster.

    Finished runs are kept, so the same command continues after an interruption.
    docs/how-to/sweeps.md has more.
    """
    from symlab.runs.settings import parse_setting
    from symlab.runs.sweep_terminal import plan_on_terminal, sweep_on_terminal
    from symlab.runs.sweeping import Order

    overrides = dict(parse_setting(text) for text in settings or [])
    order = Order(
        config, out, jobs, overrides, simulator, scheduler, most_points=most_points, strict=strict
    )
    (plan_on_terminal if dry_run else sweep_on_terminal)(order)
