# SPDX-License-Identifier: MIT
"""The command `symlab reference`; the docstring of the function is its help text."""

from symlab.commands.options import Program
from symlab.reference import write_reference
from symlab.runs.simulator import Simulator
from symlab.terminal import console


def reference_command(
    simulator: Program = None,
) -> None:
    """Write reference, man page and completion again.

    docs/reference/options-and-keys.md, docs/symsim.1 and completions/symsim.bash, of what
    symsim --describe says; docs/reference/symlab.md of the help texts; the table of locks in
    docs/reference/locks.md of what their files declare.
    """
    for path in write_reference(Simulator(simulator).describe()):
        console.print(f"wrote {path}", markup=False)
