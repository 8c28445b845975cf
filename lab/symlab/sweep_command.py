# SPDX-License-Identifier: MIT
"""The command `symlab sweep`; the docstring of the function is its help text."""

from pathlib import Path
from typing import Annotated

import typer

from symlab.options import Jobs, Program, Scheduler


def sweep_command(
    config: Annotated[Path, typer.Argument(help="TOML file with a [sweep] table.")],
    out: Annotated[
        Path | None, typer.Option(help="Folder of the results [results/<config stem>].")
    ] = None,
    jobs: Jobs = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", help="key=value, or key=[a,b] as an axis; may be repeated."),
    ] = None,
    simulator: Program = None,
    scheduler: Scheduler = None,
) -> None:
    """Run the grid of CONFIG, on all cores or a cluster.

    What is finished already is kept. docs/sweeps.md has more.
    """
    from symlab import grid
    from symlab.sweep_terminal import sweep_on_terminal

    overrides = dict(grid.parse_setting(text) for text in settings or [])
    sweep_on_terminal(config, out, jobs, overrides, simulator, scheduler)
