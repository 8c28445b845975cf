# SPDX-License-Identifier: MIT
"""Runs the benchmarks for `symlab bench`, writes their files and prints two tables."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pandas as pd
import typer
from rich import box
from rich.console import Console
from rich.table import Table
from symlab.errors import UserError
from symlab.files import write_all
from symlab.places import ROOT
from symlab.results.csv_file import csv_bytes
from symlab.runs.simulator import Simulator
from symlab.terminal import console, warn, wrote
from symlab_papers.host import find_parts, host_facts, kernel_wake_ns

from symlab_tools.bench import history, page, timing
from symlab_tools.bench.costs import Host, judged_costs, measure_costs, peak_memory
from symlab_tools.bench.scenarios import chosen

QUICK_RUNS, RUNS = 1, 5
COLOURS = {timing.HOLDS: "green", timing.FAILS: "red", timing.NOT_JUDGED: "yellow"}

TABLE_WIDTH = 130  # characters; on a narrower terminal the lines wrap


def measure_on_terminal(
    configs: list[str], runs: int | None, quick: bool, out: Path, simulator: Path | None
) -> None:
    """Measures the scenarios that `configs` names; if it is empty, all scenarios and the costs.
    Raises LabError."""
    binary = Simulator(simulator)
    rounds = runs if runs is not None else QUICK_RUNS if quick else RUNS
    if rounds < 1:
        raise UserError(f"--runs {rounds}: at least one run is needed")
    scenarios, parts = chosen(configs), find_parts(binary.path)
    costs = pd.DataFrame()
    try:
        with console.status("") as status:
            measured = timing.measure(
                scenarios, rounds, lambda: kernel_wake_ns(parts), quick, binary.path, status.update
            )
            if not configs:
                host = Host(binary, quick)
                values = measure_costs(host, rounds, status.update)
                every = pd.concat([values, peak_memory(measured)])
                costs = judged_costs(every, quick)
    except KeyboardInterrupt:
        raise typer.Exit(130) from None
    speeds = timing.judged(measured, scenarios, quick)
    tables = {"bench": speeds, "bench-runs": measured.drop(columns="compiler"), "costs": costs}
    facts = host_facts(measured["compiler"].iloc[0])
    wrote(*_write(out, tables, facts))
    if not quick:
        _record(out, binary.path, history.rows(speeds, measured, facts), whole=not configs)
    _print(
        ("config", "slowdown", "least-most", "wake ns", "normalised", "MIPS", "ns/instr", "judged",
         "at most"),
        (
            [row.config, row.slowdown, f"{row.slowdown_least:.3g}-{row.slowdown_most:.3g}",
             row.kernel_wake_ns, row.normalised_slowdown, row.mips, row.ns_per_instruction,
             f"{row.value:.3g} x {row.against}" if row.against else "",
             row.at_most, row.verdict]
            for row in speeds.itertuples()
        ),
    )  # fmt: skip
    if len(costs):
        _print(
            ("cost", "median", "least-most", "at most", "at least"),
            (
                [row.cost, row.median, f"{row.least:.3g}-{row.most:.3g}", row.at_most,
                 row.at_least, row.verdict]
                for row in costs.itertuples()
            ),
        )  # fmt: skip


def _write(folder: Path, tables: dict[str, pd.DataFrame], facts: dict[str, Any]) -> list[Path]:
    files = {f"{name}.csv": csv_bytes(t) for name, t in tables.items() if len(t)}
    host = json.dumps(facts, indent=2) + "\n"
    return write_all(folder, {**files, "host.json": host.encode()})


def _record(folder: Path, binary: Path, rows: pd.DataFrame, whole: bool) -> None:
    """Appends a measurement to the history, then writes what docs/dev quotes of results/bench.
    `whole`: all scenarios were measured."""
    if not binary.is_relative_to(ROOT):
        warn(f"{binary} is not a build of this tree, so history.csv gets no row of it")
        return
    if rows.empty:
        return
    wrote(history.append(folder, rows))
    if folder.resolve() == page.RESULTS:
        wrote(page.write_picture(), *([page.write_table()] if whole else []))


def _print(head: tuple[str, ...], rows: Iterable[list[Any]]) -> None:
    """Prints a table: names, numbers, and last the verdicts, each in its colour."""
    first, *numbers = head
    table = Table(first, box=box.SIMPLE_HEAD)
    for name in numbers:
        table.add_column(name, justify="right")
    table.add_column("verdict")
    for *cells, verdict in rows:
        table.add_row(*map(_shown, cells), f"[{COLOURS[verdict]}]{verdict}[/]")
    Console(highlight=False, width=max(console.width, TABLE_WIDTH)).print(table)


def _shown(cell: Any) -> str:
    if isinstance(cell, str):
        return cell
    return "" if pd.isna(cell) else f"{cell:.3g}"
