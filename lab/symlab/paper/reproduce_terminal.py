# SPDX-License-Identifier: MIT
"""Reproduces a paper for `symlab reproduce`: progress and messages go to the terminal."""

import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import typer

from symlab.paper import sensitivity, spread
from symlab.paper.documents.pages import update
from symlab.paper.gather import gather
from symlab.paper.paper import Paper, Part, find_paper, parts
from symlab.paper.quick import quick_tables
from symlab.paper.reproduce import Progress, make, make_sensitivity, swept
from symlab.paper.versions import current_commit, record_version
from symlab.runs.planned import clock
from symlab.runs.screen import Screen
from symlab.runs.simulator import Simulator
from symlab.runs.sweep_report import report
from symlab.runs.sweep_terminal import stopped
from symlab.runs.sweeping import Order
from symlab.terminal import console, errors, wrote


def reproduce_on_terminal(name: str, figure: str | None, mode: str | None, order: Order) -> None:
    """Runs the sweeps of a paper and writes its figures and claims.

    `mode`: None or an option of the command, "--quick", "--gather", "--pages", "--spread" or
    "--sensitivity". `order`: for all sweeps. Raises LabError, and typer.Exit if a run failed.
    """
    paper = find_paper(name)
    everything, chosen = parts(paper), parts(paper, figure)
    results, folder, quick = order.results, order.results / name, mode == "--quick"
    failed: list[str] = []
    try:
        if mode == "--spread":
            failed = _spread(chosen, order, folder)
        elif mode == "--sensitivity":
            failed = _sensitivity(paper, chosen, order, folder)
        elif mode not in ("--gather", "--pages"):
            failed = _make(chosen, order, folder, quick)
    except KeyboardInterrupt:
        stopped()
    if mode == "--pages":
        files = update(name, results)
    else:
        files = (quick_tables if quick else gather)(paper, everything, results)
    console.print(f"wrote {len(files)} files, the last {files[-1]}")
    if failed:
        errors.print(f"failed: {', '.join(failed)}")
        raise typer.Exit(1)


def _make(chosen: list[Part], order: Order, folder: Path, quick: bool) -> list[str]:
    """Runs the sweeps of the parts; returns the names of the parts with failed runs or files."""
    progress, failed = Progress.of(chosen, folder), []
    begin_s = time.monotonic()
    for number, part in enumerate(chosen, 1):
        left_s = progress.left_s()
        left = "" if left_s is None else f", at most about {clock(left_s)} left"
        elapsed = f"{clock(time.monotonic() - begin_s)} elapsed"
        title = f"{part.title}{', quick' if quick else ''}, {number} of {len(chosen)}"
        console.rule(f"{title}; {elapsed}{left}", align="left")
        made = make(part, order, quick, lambda: Screen(console))
        progress.over(part, made)
        if report(made.result):
            failed.append(part.name)
        elif not quick:
            record_version(folder, part.name, current_commit())
    return failed


def _spread(chosen: list[Part], order: Order, folder: Path) -> list[str]:
    repeated = [part for part in chosen if part.size("reduced")]
    tables, failed = [], []
    for number, part in enumerate(repeated, 1):
        console.rule(f"Spread of {part.title}, {number} of {len(repeated)}", align="left")
        out = folder / "spread" / part.name
        repeats = replace(order, overrides=spread.overrides(part), out=out)
        result = swept(part, repeats, lambda: Screen(console)).result
        if result.failures:
            report(result)
            failed.append(part.name)
        tables.append(spread.measured(part, part.figure.series(result.frame)))
    wrote(spread.write_spreads(folder, tables))
    return failed


def _sensitivity(paper: Paper, chosen: list[Part], order: Order, folder: Path) -> list[str]:
    guesses = sensitivity.load_guesses(paper, Simulator(order.simulator))
    rows: list[dict[str, Any]] = []
    failed: list[str] = []
    for headline in sensitivity.headlines(paper, chosen):
        console.rule(f"Sensitivity of {headline.part.title}", align="left")
        made = make_sensitivity(headline, guesses, order, folder, lambda: Screen(console))
        failed += [name for name, each in made.items() if each.result.failures]
        frames = {name: each.result.frame for name, each in made.items()}
        rows += sensitivity.judged(headline, guesses, frames, spread.load_spreads(folder))
    wrote(sensitivity.write_sensitivity(folder, rows))
    return failed
