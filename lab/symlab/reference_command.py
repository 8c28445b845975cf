# SPDX-License-Identifier: MIT
"""The command `symlab reference`; the docstring of the function is its help text."""

from rich.console import Console

from symlab.options import Program
from symlab.reference import write_reference
from symlab.simulator import Simulator

console = Console(highlight=False, soft_wrap=True)


def reference_command(
    simulator: Program = None,
) -> None:
    """Write reference, man page and completion anew.

    docs/reference.md, docs/symsim.1 and completions/symsim.bash, of what symsim --describe says.
    """
    for path in write_reference(Simulator(simulator).describe()):
        console.print(f"wrote {path}", markup=False)
