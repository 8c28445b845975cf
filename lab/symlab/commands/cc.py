# SPDX-License-Identifier: MIT

import typer

from symlab.guest import compiling, linux
from symlab.terminal import wrote


def cc_command(context: typer.Context) -> None:
    """Build a C program of your own for the simulated machine.

    FILES: .c, .S, .s, .o or .a, in any folder.

    --lock: the lock that lock.h includes, a name of `symlab list locks` or a header of yours
    [read; with --strategy backoff].

    --barrier: the barrier that barrier.h includes, a name of `symlab list barriers` or a header
    of yours [counter].

    --strategy: for a program of threads, a name of `symlab list strategies` or a header of yours.
    -pthread: for a program of pthread.h; its strategy is local-readyq unless you name another.

    --kernel: for a program of processes (process.h); its run queues are local or central [local].
    With -DKERNEL_CHECKS the kernel checks its locks, which takes simulated time.

    --space NAME=FILE.c, for each of several programs in address spaces of their own that call each
    other (space.h, urpc.h); a program of several files has the option for each.

    --stack-kb: stack size of each processor in KB, a power of two [64].

    --linux: a Linux program, in C or C++. The compiler is gcc or g++ with -m32 -static; it gets all
    other words, and finds probes.h.

    All other options go to gcc for your files, after the flags of guest/flags.txt: -O2, -DNAME=1,
    -Wall, ... The thread package gets those of the preprocessor, such as -D and -I.
    """
    words = [word for word in context.args if word != "--linux"]
    if len(words) < len(context.args):
        wrote(linux.compile_linux(words))
        return
    request = compiling.parse_arguments(context.args)
    wrote(compiling.build(request))
