# SPDX-License-Identifier: MIT
"""The command `symlab cc`; the docstring of the function is its help text."""

import typer

from symlab.guest import compiling
from symlab.terminal import wrote


def cc_command(context: typer.Context) -> None:
    """Build a C program of your own for the simulated machine.

    It may lie anywhere. FILES: .c, .S, .s, .o or .a. --lock: what lock.h is, a file of
    guest/locks or a header of yours [read]. --strategy: for a program of threads, a file of
    guest/threads/strategies or a header of yours; the lock is then backoff if no other is named.
    --barrier: what barrier.h is, a file of guest/barriers or a header of yours [counter].
    -pthread: for a program of pthread.h; the strategy is then local-readyq if no other is named.
    --stack-kb: of each processor, a power of two [64]. All else goes to gcc, behind the flags of
    guest/flags.txt: -O2, -DNAME=1, -Wall, ...
    """
    request = compiling.parse_arguments(context.args)
    wrote(compiling.build(request))
