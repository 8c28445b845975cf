# SPDX-License-Identifier: MIT
"""Command-line options that several commands of symlab share."""

from pathlib import Path
from typing import Annotated

import typer

Jobs = Annotated[int | None, typer.Option(help="Runs at a time [all host cores].")]
Program = Annotated[
    Path | None, typer.Option(help="The symsim binary [$SYMSIM_BINARY or ./symsim].")
]
Settings = Annotated[
    list[str] | None,
    typer.Option("--set", help="key=value, or an axis: key=[a,b], key=1..20; may be repeated."),
]
Scheduler = Annotated[
    str | None,
    typer.Option(help="Address of a dask.distributed cluster to run on: tcp://HOST:PORT."),
]
Strict = Annotated[
    bool,
    typer.Option("--strict/--no-strict", help="An unused argument is an error."),
]
