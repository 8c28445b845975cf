# SPDX-License-Identifier: MIT
"""Command-line options that several commands of symlab share."""

from pathlib import Path
from typing import Annotated

import typer

Jobs = Annotated[int | None, typer.Option(help="Runs at a time [all host cores].")]
Program = Annotated[
    Path | None, typer.Option(help="The symsim binary [$SYMSIM_BINARY or ./symsim].")
]
Scheduler = Annotated[
    str | None,
    typer.Option(help="Address of a dask.distributed cluster to run on: tcp://HOST:PORT."),
]
