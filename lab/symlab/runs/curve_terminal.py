# SPDX-License-Identifier: MIT
"""Runs an experiment for `symlab run`: progress, table, files and messages on the terminal."""

import re
from pathlib import Path
from typing import Any

import pandas as pd
import typer
from rich.console import Console
from rich.table import Table

from symlab.errors import LabError
from symlab.plot.columns import guessed
from symlab.plot.generic import series
from symlab.plot.labels import rounded
from symlab.plot.look import names
from symlab.runs.curve import Experiment, run_experiment
from symlab.runs.sweep_report import report
from symlab.runs.sweep_terminal import on_screen
from symlab.runs.sweeping import jobs_at_a_time
from symlab.terminal import console, errors, wrote

NUMBER = re.compile(r"[0-9]{1,9}")


def numbers(text: str) -> list[int | str]:
    """Numbers and ranges of a list with commas; what is neither is left as it is."""
    return [int(word) if NUMBER.fullmatch(word) else word for word in names(text)]


def curve_on_terminal(
    chosen: Experiment,
    out: Path | None,
    jobs: int | None,
    simulator: Path | None,
    strict: bool = True,
) -> None:
    """Builds and runs the experiment and prints its results.

    Raises LabError, and typer.Exit if a run failed.
    """
    folder = out or Path("results") / chosen.name
    compared = [one.name for one in chosen.alternatives]
    console.print(f"{chosen.source.stem}: {', '.join(compared) or 'nothing to compare'}")
    result = on_screen(
        lambda watcher: run_experiment(chosen, out, jobs, simulator, watcher, strict),
        jobs_at_a_time(jobs),
    )
    if (result.frame.status == "finished").any():
        print_table(result.frame, chosen.axes, compared, str(chosen.settings.get("figure.y", "")))
    code = report(result)
    if not result.problems:
        from symlab.reports import write_report  # plotly takes half a second to import

        try:
            wrote(write_report([folder], None))
        except LabError as error:
            errors.print(f"symlab: {error}")
            code = error.exit_code
    if code:
        raise typer.Exit(code)


def print_table(runs: pd.DataFrame, keys: list[str], first: list[str], y: str = "") -> None:
    """Prints what the figure shows: a row for each x, a column for each curve.

    `first`: the first curves, in the order of their columns; others follow. `y`: as in figure.y.
    """
    points = series(runs, guessed(runs, keys, y if y in runs else ""))
    x_name, y_name = points.x_name.iloc[0], points.y_name.iloc[0]
    curves = set(points.curve)
    order = [name for name in first if name in curves] + sorted(curves - set(first))
    cells: dict[tuple[str, float], str] = {}
    row: Any
    for row in points.itertuples():
        done = row.status == "finished"
        cells.setdefault((row.curve, row.x), rounded(row.y, row.spread) if done else row.status)
    table = Table(box=None, pad_edge=False, title=y_name, title_justify="left")
    for name in (x_name, *order):
        table.add_column(name, justify="right")
    for x in sorted(set(points.x)):
        table.add_row(f"{x:g}", *(cells.get((curve, x), "") for curve in order))
    Console(highlight=False, width=None if console.is_terminal else 200).print(table)
