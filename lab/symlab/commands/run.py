# SPDX-License-Identifier: MIT

from pathlib import Path
from typing import Annotated

import typer

from symlab.commands.options import (
    Arguments,
    AsJson,
    Barrier,
    Defines,
    Linux,
    Lock,
    Program,
    Quiet,
    Setting,
    Strategy,
    Strict,
    names_of,
    option,
    out,
)
from symlab.terminal import console, print_json, quieten


def run_command(
    program: Annotated[
        str,
        typer.Argument(
            metavar="CONFIG|PROGRAM",
            help="A config, an image, a Linux program, a file in C or C++, or a program of "
            "`symlab list workloads`.",
            autocompletion=names_of("workloads"),
        ),
    ],
    lock: Lock = "",
    barrier: Barrier = "",
    strategy: Strategy = "",
    processors: Annotated[
        int | None,
        option("--processors", "-p", metavar="N", help="Processors [those of the config]."),
    ] = None,
    machine: Annotated[
        str,
        option("--machine", metavar="NAME|CONFIG", help="Machine of a program [symmetry-a].",
               kinds=("machines",)),
    ] = "",
    arguments: Arguments = None,
    settings: Setting = None,
    defines: Defines = None,
    linux: Linux = False,
    folder: Annotated[Path | None, out("Folder of the results [results/NAME].")] = None,
    strict: Strict = True,
    simulator: Program = None,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:  # fmt: skip
    """Run one config or program, and print its main numbers.

    A C file is compiled first. The output of the program comes before the numbers. All files of the
    run are in the folder of the results; `symlab report` makes a page of them. A Linux program gets
    the ARGUMENTS after --, and its exit status becomes that of the command.
    """
    from symlab.runs.running import run
    from symlab.runs.settings import parse_argument, parse_setting

    quieten(quiet or as_json)
    ended = run(
        program,
        lock=lock,
        barrier=barrier,
        strategy=strategy,
        processors=processors,
        machine=machine,
        settings=dict([*map(parse_argument, arguments or []), *map(parse_setting, settings or [])]),
        options=[f"-D{text}" for text in defines or []],
        out=folder,
        simulator=simulator,
        strict=strict,
        linux=linux,
    )
    console.print(ended.console, end="")
    console.print(str(ended))
    if as_json:
        print_json(ended.summary)
