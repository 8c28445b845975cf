# SPDX-License-Identifier: MIT

from symlab.commands.options import Program
from symlab.terminal import wrote


def reference_command(simulator: Program = None) -> None:
    """Write reference and completion again.

    Writes docs/reference/options-and-keys.md and completions/symsim.bash from the output of symsim
    --describe, docs/reference/symlab.md from the help texts of symlab, and the tables of locks from
    what their files declare, and from results/check.
    """
    from symlab.runs.simulator import Simulator

    from symlab_tools.reference import write_reference  # pandas takes a second to import

    wrote(*write_reference(Simulator(simulator).describe()))
