# SPDX-License-Identifier: MIT

import shlex
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from symlab.commands.options import option
from symlab.guest.skeleton import SKELETONS, write_skeleton
from symlab.terminal import console, wrote

# mypy knows members only of a literal; these are those of the tree.
Kind = StrEnum("Kind", list(SKELETONS))  # type: ignore[misc]


def new_command(
    kind: Annotated[
        Kind, typer.Argument(metavar="KIND", help="lock, barrier, strategy or workload.")
    ],
    name: Annotated[
        str,
        typer.Argument(metavar="NAME", help="Name of the file: lower-case letters, digits and -."),
    ],
    folder: Annotated[
        Path, option("--in", metavar="FOLDER", help="Folder for the file [the current folder].")
    ] = Path("."),
) -> None:
    """Begin a lock, barrier, strategy or workload.

    Writes a file that compiles and works, for you to change, and prints the command that compiles
    and runs it. For a lock, also writes NAME.toml, a sweep that compares it with five others.
    """
    files = write_skeleton(kind, name, folder)
    then = SKELETONS[kind].then.format(file=shlex.quote(str(files[0])))
    wrote(" and ".join(map(str, files)))
    console.print(f"{files[0]} works as it is. Change it; then compile and run it:")
    console.print(f"\n    symlab {then}")
