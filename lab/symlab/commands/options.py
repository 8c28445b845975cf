# SPDX-License-Identifier: MIT
"""Arguments and options that several commands of symlab share."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from symlab.guest import catalogue

HEADER = "NAME|FILE.h"
HEADERS = "NAME|FILE.h,..."
SET = "KEY=VALUE"


def names_of(*kinds: str) -> Callable[[str], list[tuple[str, str]]]:
    """Completes a name of these `catalogue.KINDS`, also the last one of a list with commas."""

    def complete(incomplete: str) -> list[tuple[str, str]]:
        before = incomplete[: incomplete.rfind(",") + 1]
        items = (item for kind in kinds for item in catalogue.items(kind))
        offered = ((before + item.name, item.description) for item in items)
        return [(name, about) for name, about in offered if name.startswith(incomplete)]

    return complete


def option(
    *names: str, metavar: str, help: str, kinds: tuple[str, ...] = ()
) -> typer.models.OptionInfo:
    """An option with a value. `kinds`: see `names_of`."""
    completion = names_of(*kinds) if kinds else None
    said = help.endswith("].")  # the default
    return typer.Option(
        *names, metavar=metavar, help=help, autocompletion=completion, show_default=not said
    )


def out(help: str) -> typer.models.OptionInfo:
    """`--out`: the folder of the results, or the file of a command that writes one file."""
    return option("--out", "-o", metavar="FILE" if help.startswith("File") else "FOLDER", help=help)


Jobs = Annotated[
    int | None, option("--jobs", "-j", metavar="N", help="Runs at a time [all host cores].")
]
Program = Annotated[
    Path | None,
    option("--simulator", metavar="FILE", help="The symsim binary [$SYMSIM_BINARY or ./symsim]."),
]
Lock = Annotated[
    str, option("--lock", metavar=HEADER, help="Lock of the program [read].", kinds=("locks",))
]
Barrier = Annotated[
    str,
    option("--barrier", metavar=HEADER, help="Barrier of the program.", kinds=("barriers",)),
]
Strategy = Annotated[
    str,
    option("--strategy", metavar=HEADER, help="Strategy of the threads.", kinds=("strategies",)),
]
Machine = Annotated[
    str,
    option(
        "--machine", metavar="NAME|CONFIG", help="Machine by name, or a config [symmetry-a].",
        kinds=("machines",),
    ),
]  # fmt: skip
Arguments = Annotated[
    list[str] | None,
    option("--arg", "-a", metavar="NAME=VALUE", help="Argument of the program."),
]
Setting = Annotated[list[str] | None, option("--set", metavar=SET, help="Key of the config.")]
Settings = Annotated[
    list[str] | None,
    option(
        "--set", metavar=SET,
        help="Key of the config, or an axis: key=[a,b], key=1..20.",
    ),
]  # fmt: skip
Defines = Annotated[
    list[str] | None,
    option("--define", "-D", metavar="NAME=VALUE", help="Macro, as for gcc."),
]
Linux = Annotated[
    bool, typer.Option("--linux", help="Compile a C file as a Linux program: gcc -m32 -static.")
]
Scheduler = Annotated[
    str | None,
    option(
        "--scheduler", metavar="ADDRESS", help="Run on a dask.distributed cluster: tcp://HOST:PORT."
    ),
]
Strict = Annotated[
    bool,
    typer.Option(
        "--strict/--no-strict",
        show_default=False,
        help="Refuse an argument that no program asks for.",
    ),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but errors.")]
Verbose = Annotated[
    bool, typer.Option("--verbose", "-v", help="Print a line for each run that ends.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON, and only that.")]
