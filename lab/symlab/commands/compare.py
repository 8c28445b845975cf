# SPDX-License-Identifier: MIT

import re
import shlex
from pathlib import Path
from typing import Annotated

import typer

from symlab.commands.options import (
    HEADERS,
    Arguments,
    AsJson,
    Defines,
    Jobs,
    Linux,
    Machine,
    Program,
    Quiet,
    Settings,
    Strict,
    Verbose,
    names_of,
    option,
    out,
)
from symlab.terminal import console, quieten

NUMBER = re.compile(r"[0-9]{1,9}")


def compare_command(
    programs: Annotated[
        list[str],
        typer.Argument(
            metavar="PROGRAM...",
            help="A program of `symlab list workloads`, or a C file of yours; or Linux programs.",
            autocompletion=names_of("workloads"),
        ),
    ],
    lock: Annotated[
        str, option("--lock", metavar=HEADERS, help="Locks, or all [read; for threads backoff].",
                    kinds=("locks",))
    ] = "",
    barrier: Annotated[
        str, option("--barrier", metavar=HEADERS, help="Barriers, or all [counter].",
                    kinds=("barriers",))
    ] = "",
    strategy: Annotated[
        str, option("--strategy", metavar=HEADERS, help="Strategies, or all [local-readyq].",
                    kinds=("strategies",))
    ] = "",
    against: Annotated[
        str,
        option("--against", metavar=HEADERS, help="More names of the kind that is compared.",
               kinds=("locks", "barriers", "strategies")),
    ] = "",
    processors: Annotated[
        str,
        option("--processors", "-p", metavar="N,N..N,...",
               help="Numbers and ranges: 1..4,8,12..20..4."),
    ] = "1,2,4,8,12,16,20",
    machine: Machine = "symmetry-a",
    arguments: Arguments = None,
    settings: Settings = None,
    defines: Defines = None,
    linux: Linux = False,
    y: Annotated[
        str, option("--y", metavar="COLUMN", help="Column for the figure's y axis [elapsed_us].")
    ] = "",
    title: Annotated[
        str, option("--title", metavar="TEXT", help="Title of the figure [PROGRAM on MACHINE].")
    ] = "",
    log: Annotated[
        str, option("--log", metavar="AXES", help="Logarithmic axes of the figure: x, y or both.")
    ] = "",
    folder: Annotated[Path | None, out("Folder of the results [results/PROGRAM-FIRST].")] = None,
    jobs: Jobs = None,
    strict: Strict = True,
    simulator: Program = None,
    quiet: Quiet = False,
    verbose: Verbose = False,
    as_json: AsJson = False,
) -> None:  # fmt: skip
    """Compare locks, barriers, strategies or Linux programs.

    Compiles the program with each, runs it on several numbers of processors, and writes a table
    and a figure. Linux programs get the ARGUMENTS after --. The same command again makes only the
    runs that are missing. `symlab report` makes a page of the results.
    """
    from symlab.plot.look import names
    from symlab.runs import up_to_date
    from symlab.runs.experiment import results_folder
    from symlab.runs.linux import experiment_of
    from symlab.runs.settings import parse_argument, parse_setting

    quieten(quiet or as_json)
    more = [*map(parse_argument, arguments or []), *map(parse_setting, settings or [])]
    figure = {f"figure.{key}": text for key, text in [("y", y), ("title", title), ("log", log)]}
    chosen = experiment_of(
        programs,
        {"lock": names(lock), "barrier": names(barrier), "strategy": names(strategy)},
        [int(word) if NUMBER.fullmatch(word) else word for word in names(processors)],
        machine,
        {key: text for key, text in figure.items() if text} | dict(more),
        tuple(f"-D{text}" for text in defines or []),
        names(against),
        linux,
    )
    results = results_folder(chosen, folder)
    compared = ", ".join(one.name for one in chosen.alternatives)
    title = "Linux programs" if chosen.kind == "program" else chosen.source.stem
    console.print(f"{title}: {compared or 'nothing to compare'}")
    shown = None if as_json else up_to_date.shown_before(chosen, results, simulator)
    if shown is not None:
        console.print(f"{shown['points']} points: {shown['points']} kept, 0 to do")
        console.print(shown["table"], end="")
        console.print(f"up to date: {', '.join(shown['files'])}")
    else:
        from symlab.runs.compare_terminal import compare_on_terminal  # imports pandas

        compare_on_terminal(chosen, results, folder, jobs, simulator, strict, verbose, as_json)
    console.print(f"for a page of it: symlab report {shlex.quote(str(results))}")
