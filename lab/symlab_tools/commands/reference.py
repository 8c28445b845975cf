# SPDX-License-Identifier: MIT

from symlab.commands.options import Program
from symlab.terminal import wrote


def reference_command(simulator: Program = None) -> None:
    """Write reference and completion again.

    Writes docs/reference/options-and-keys.md and completions/symsim.bash from the output of symsim
    --describe, docs/reference/symlab.md from the help texts of symlab, and the table of locks in
    docs/reference/locks.md from what their files declare.
    """
    from symlab.runs.simulator import Simulator

    from symlab_tools.reference import write_reference  # pandas takes a second to import

    wrote(*write_reference(Simulator(simulator).describe()))
