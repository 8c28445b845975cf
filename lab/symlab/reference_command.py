# SPDX-License-Identifier: MIT
"""`symlab reference`."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from symlab.reference import write_reference
from symlab.simulator import Simulator

console = Console(highlight=False, soft_wrap=True)


def reference_command(
    simulator: Annotated[
        Path | None, typer.Option(help="The symsim binary [$SYMSIM_BINARY or ./symsim].")
    ] = None,
) -> None:
    """Write reference, man page and completion anew.

    docs/reference.md, docs/symsim.1 and completions/symsim.bash, of what symsim --describe says.
    """
    for path in write_reference(Simulator(simulator).describe()):
        console.print(f"wrote {path}", markup=False)
