# SPDX-License-Identifier: MIT

import time
from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from symlab.commands.options import option
from symlab.terminal import console, wrote

QUIET_S = 2.0  # host time after which a conversion shows its progress


def transactions_command(
    run: Annotated[
        Path, typer.Argument(metavar="RUN", help="Folder of a run with observe.transactions.")
    ],
    format: Annotated[
        Literal["parquet", "csv"], option("--format", metavar="FORMAT", help="parquet or csv.")
    ] = "parquet",
    partial: Annotated[
        bool, typer.Option("--partial", help="Convert the complete part of a log that is cut off.")
    ] = False,
) -> None:
    """Convert a run's transaction log to tables.

    The tables have each use of the bus, each mark and each state of a processor.
    docs/reference/transactions.md lists their columns.
    """
    from symlab.results.transactions import convert

    bar = Progress(
        TextColumn("reading the log"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f} %"),
        TimeRemainingColumn(),
        console=console,
        transient=True,
    )
    task = bar.add_task("")
    begin_s = time.monotonic()

    def on_progress(done: int, size: int) -> None:
        if console.is_terminal and time.monotonic() - begin_s > QUIET_S:
            bar.start()
        bar.update(task, completed=done, total=size)

    try:
        paths = convert(run, format, partial, on_progress)
    except KeyboardInterrupt:
        raise typer.Exit(130) from None
    finally:
        if bar.live.is_started:  # else it would print an empty line
            bar.stop()
    wrote(*paths)
