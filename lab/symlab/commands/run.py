# SPDX-License-Identifier: MIT

from pathlib import Path
from typing import Annotated

import typer

from symlab.commands.options import Jobs, Program, Settings, Strict

NAMES = "Names or headers: A,B or all"


def run_command(
    workload: Annotated[
        str, typer.Argument(help="A program of `symlab list workloads`, or a C file of yours.")
    ],
    lock: Annotated[
        str, typer.Option(help=f"{NAMES} [read; for threads backoff].", metavar="NAME|FILE.h,...")
    ] = "",
    barrier: Annotated[
        str, typer.Option(help="The same for barriers [counter].", metavar="NAME|FILE.h,...")
    ] = "",
    strategy: Annotated[
        str, typer.Option(help="For strategies [local-readyq].", metavar="NAME|FILE.h,...")
    ] = "",
    against: Annotated[
        str,
        typer.Option(help="More names of the kind that is compared.", metavar="NAME|FILE.h,..."),
    ] = "",
    processors: Annotated[
        str, typer.Option("--processors", "-p", help="Numbers and ranges: 1..4,8,12..20..4.")
    ] = "1,2,4,8,12,16,20",
    machine: Annotated[
        str, typer.Option(help="A machine of `symlab list machines`, or a config.")
    ] = "symmetry-a",
    arguments: Annotated[
        list[str] | None,
        typer.Option("--arg", "-a", help="name=value for the program; may be repeated."),
    ] = None,
    settings: Settings = None,
    defines: Annotated[
        list[str] | None, typer.Option("--define", "-D", help="NAME[=VALUE], as for gcc.")
    ] = None,
    y: Annotated[str, typer.Option(help="Column for the y axis of the figure [elapsed_us].")] = "",
    title: Annotated[str, typer.Option(help="Title of the figure [<workload> on <machine>].")] = "",
    log: Annotated[str, typer.Option(help="Logarithmic axes of the figure: x, y or both.")] = "",
    out: Annotated[
        Path | None, typer.Option(help="Folder of the results [results/<workload>-<first>].")
    ] = None,
    jobs: Jobs = None,
    strict: Strict = True,
    simulator: Program = None,
) -> None:
    """Compile a program with each lock and draw its curves.

    Compares locks, barriers or strategies. Runs on all cores of the host; writes a table, a figure
    and a report. The same command again makes only the runs that are missing.
    """
    from symlab.plot.look import names
    from symlab.runs.curve import experiment
    from symlab.runs.curve_terminal import curve_on_terminal, numbers
    from symlab.runs.settings import parse_argument, parse_setting

    more = [*map(parse_argument, arguments or []), *map(parse_setting, settings or [])]
    figure = {f"figure.{key}": text for key, text in [("y", y), ("title", title), ("log", log)]}
    chosen = experiment(
        workload,
        {"lock": names(lock), "barrier": names(barrier), "strategy": names(strategy)},
        numbers(processors),
        machine,
        {key: text for key, text in figure.items() if text} | dict(more),
        tuple(f"-D{text}" for text in defines or []),
        names(against),
    )
    curve_on_terminal(chosen, out, jobs, simulator, strict)
