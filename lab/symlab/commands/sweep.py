# SPDX-License-Identifier: MIT

from pathlib import Path
from typing import Annotated

import typer

from symlab.commands import options
from symlab.commands.options import option, out
from symlab.runs.grid import MOST_POINTS
from symlab.terminal import quieten


def sweep_command(
    config: Annotated[
        Path,
        typer.Argument(
            metavar="CONFIG", help="TOML file; its table [sweep] or --set has the axes."
        ),
    ],
    folder: Annotated[Path | None, out("Folder of the results [results/CONFIG].")] = None,
    jobs: options.Jobs = None,
    settings: options.Settings = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print the runs to make; run nothing.")
    ] = False,
    most_points: Annotated[
        int,
        option("--most-points", metavar="N", help="Most points of a grid; a larger is refused."),
    ] = MOST_POINTS,
    strict: options.Strict = True,
    simulator: options.Program = None,
    scheduler: options.Scheduler = None,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
    as_json: options.AsJson = False,
) -> None:
    """Run the grid of a config, on all cores or a cluster.

    Finished runs are kept, so the same command continues after an interruption.
    docs/how-to/sweeps.md has more.
    """
    from symlab.runs.settings import parse_setting
    from symlab.runs.sweep_terminal import plan_on_terminal, sweep_on_terminal
    from symlab.runs.sweeping import Order

    quieten(quiet or as_json)
    overrides = dict(parse_setting(text) for text in settings or [])
    order = Order(
        config,
        folder,
        jobs,
        overrides,
        simulator,
        scheduler,
        most_points=most_points,
        strict=strict,
    )
    if dry_run:
        plan_on_terminal(order)
    else:
        sweep_on_terminal(order, verbose, as_json)
