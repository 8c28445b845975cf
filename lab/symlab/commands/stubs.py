# SPDX-License-Identifier: MIT

from pathlib import Path
from typing import Annotated

import typer

from symlab.commands.options import option
from symlab.terminal import console, wrote


def stubs_command(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="Description of the interface, such as calc.idl.")
    ],
    folder: Annotated[
        Path, option("--in", metavar="FOLDER", help="Folder for the stubs [the current folder].")
    ] = Path("."),
) -> None:
    """Write C stubs for calls between address spaces (URPC).

    The file describes an interface NAME, in the style of C:

    \b
        interface calculator {
            struct point { int32 x; int32 y; };
            add(int32 a, int32 b) returns (int32 sum);
            lookup(bytes name[16]) returns (bool found, point values[4]);
        }

    Types: int8, int16, int32, int64, uint8 to uint64, bool, float, double, and structs of these.
    An array has at most the number of elements in brackets. Arguments and results are copied; all
    arguments of a call, and all results, take at most 12 words of 4 bytes.

    Writes NAME.h, NAME_client.h with functions that call, and NAME_server.h with the prototypes of
    the functions that you write and serve_NAME(), which serves them. `symlab cc --space` builds
    client and server.
    """
    from symlab.guest.stubs.write import write_stubs

    files = write_stubs(file, folder)
    wrote(" and ".join(map(str, files)))
    name = files[0].stem
    console.print(
        f"include {name}_client.h in the client, {name}_server.h in the server, and build:"
    )
    console.print(
        f"\n    symlab cc -o {name}.elf --space client=client.c --space server=server.c",
        soft_wrap=True,
    )
