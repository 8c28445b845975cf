# SPDX-License-Identifier: MIT
"""Runs an experiment for `symlab compare`: progress, table, files and messages on the terminal."""

from pathlib import Path
from typing import Any

import pandas as pd
import typer
from rich.console import Console
from rich.table import Table

from symlab.plot.generic import series
from symlab.plot.look import guessed
from symlab.plot.ticks import rounded
from symlab.runs import up_to_date
from symlab.runs.compare import run_experiment
from symlab.runs.experiment import Experiment
from symlab.runs.sweep_terminal import as_json, on_screen, report
from symlab.runs.sweeping import jobs_at_a_time
from symlab.terminal import console, print_json

LOG_WIDTH = 200  # of a table that goes to no terminal


def compare_on_terminal(
    chosen: Experiment,
    folder: Path,
    out: Path | None,
    jobs: int | None,
    simulator: Path | None,
    strict: bool = True,
    verbose: bool = False,
    json: bool = False,
) -> None:
    """Builds and runs the experiment and prints its results. `folder`: where they are. Raises
    LabError, and typer.Exit if a run failed."""
    result = on_screen(
        lambda watcher: run_experiment(chosen, out, jobs, simulator, watcher, strict),
        jobs_at_a_time(jobs),
        verbose,
    )
    text = ""
    if (result.frame.status == "finished").any():
        compared = [one.name for one in chosen.alternatives]
        y = str(chosen.settings.get("figure.y", ""))
        text = table_text(result.frame, chosen.axes, compared, y)
    console.print(text, end="")
    code = report(result)
    if json:
        print_json(as_json(result))
    if code:
        raise typer.Exit(code)
    if not result.notes:
        shown = {"points": len(result.frame), "table": text, "files": list(map(str, result.files))}
        up_to_date.leave(chosen, folder, shown, simulator)


def table_text(runs: pd.DataFrame, keys: list[str], first: list[str], y: str = "") -> str:
    """What the figure shows: a row for each x, a column for each curve. `first`: the first curves,
    in the order of their columns; others follow. `y`: as in figure.y."""
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
    width = console.width if console.is_terminal else LOG_WIDTH
    plain = Console(highlight=False, width=width, color_system=None, quiet=False)
    with plain.capture() as text:
        plain.print(table)
    return text.get()
