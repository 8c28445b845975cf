# SPDX-License-Identifier: MIT
"""What the programs of binutils say of objects, and do to them.

The library has global functions such as put() and report() beside those of the C standard. An
ordinary program may have functions or variables of the same names. Its own code is to use these,
and the library its own: as with the library of a Unix system, whose internal names are reserved.
"""

import re
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path

from symlab.errors import UserError

# C reserves the first for compilers and their libraries; the second are symsim's own, such as the
# symbols that the simulator looks for. A program that defines them means them.
RESERVED = ("_", "symsim_")
REFERENCE = re.compile(r"undefined reference to `([^']+)'")
# gcc calls these functions where the processor has no instruction for an operation of
# <stdatomic.h>, __atomic_ or __sync_.
ATOMIC = re.compile(r"__(atomic|sync)_")
WIDE = re.compile(r"_(8|16)$")
NO_ATOMIC = (
    "a 386 has xchg, and lock add, sub, inc, dec, and, or, xor, bts without the old value: use a "
    'lock (lock.h), pthread_mutex_t (-pthread), or -march=i486 and processor.isa = "i486", which '
    "has xadd and cmpxchg"
)
NO_WIDE = (
    "neither a 386 nor a 486 has an atomic operation of 8 bytes: use a lock, or -march=i586 and "
    'processor.isa = "i586", which has cmpxchg8b'
)


def keep_apart(program: Sequence[str], library: Sequence[str], folder: Path) -> list[str]:
    """The files of the program, in their order. `library`: all other files of the image. If the
    program defines a name of the library, NAME, all its files are replaced by copies in `folder` in
    which it is NAME.program. Raises UserError if there are no binutils."""
    common = _defined(program) & _defined(library)
    names = sorted(name for name in common if not name.startswith(RESERVED))
    if not names:
        return list(program)
    table = folder / "renamed.txt"
    lines = "".join(f"{name} {name}.program\n" for name in names)
    table.write_text(lines, encoding="utf-8")
    copies = []
    for number, file in enumerate(program):
        copy = folder / f"renamed-{number}{Path(file).suffix}"
        binutils("objcopy", f"--redefine-syms={table}", file, str(copy))
        copies.append(str(copy))
    return copies


def _defined(files: Sequence[str]) -> set[str]:
    """The global symbols that objects and archives define."""
    if not files:
        return set()
    lines = binutils("nm", "--defined-only", "--extern-only", "--format=posix", *files).splitlines()
    words = [line.split() for line in lines]
    return {parts[0] for parts in words if len(parts) > 1}  # one word: the name of a file


def binutils(tool: str, *arguments: str, what: str = "") -> str:
    """What a program of binutils prints. Raises UserError. `what`: what it is about."""
    found = shutil.which(tool)
    if found is None:
        raise UserError(f"cc: there is no {tool} in $PATH; apt-get install binutils")
    done = subprocess.run([found, *arguments], capture_output=True, text=True)
    if done.returncode != 0:
        about = f" for {what}" if what else ""
        raise UserError(f"cc: {tool} failed{about}: {done.stderr.strip()}")
    return done.stdout


def refuse_thread_locals(objects: Iterable[tuple[str, str]]) -> None:
    """Raises UserError if there is such a variable. `objects`: pairs of the file that the user
    named, and the object or archive made of it."""
    for source, file in objects:
        if names := _thread_locals(file):
            raise UserError(
                f"cc: {source}: {', '.join(names)}: thread-local variables (__thread, "
                "_Thread_local) are of Linux programs: add --linux; or use an array indexed by "
                "processor(), or pthread_getspecific"
            )


def _thread_locals(file: str) -> list[str]:
    """The thread-local variables that an object or an archive defines or uses."""
    words = [line.split() for line in binutils("readelf", "-sW", file).splitlines()]
    return list(dict.fromkeys(parts[7] for parts in words if len(parts) > 7 and parts[3] == "TLS"))


def undefined(messages: str) -> list[str]:
    """The names in the linker's messages, each once, in their order."""
    return list(dict.fromkeys(REFERENCE.findall(messages)))


def explanation(names: list[str], posix: bool) -> str:
    """One sentence for each kind of name, joined by semicolons; empty without names. `posix`:
    the program is built with -pthread."""
    atomic = [name for name in names if ATOMIC.match(name)]
    threads = [name for name in names if name.startswith("pthread_")]
    others = [name for name in names if name not in [*atomic, *threads]]
    wide = [name for name in atomic if WIDE.search(name)]
    narrow = [name for name in atomic if name not in wide]
    says = []
    if narrow:
        says.append(f"{_listed(narrow)}: {NO_ATOMIC}")
    if wide:
        says.append(f"{_listed(wide)}: {NO_WIDE}")
    if threads and not posix:
        says.append(f"{_listed(threads)}: build with -pthread")
    elif threads:
        others = [*threads, *others]
    if others:
        says.append(
            f"neither the program nor the library has {_listed(others)}; "
            "docs/reference/c-library.md lists what the library has"
        )
    return "; ".join(says)


def _listed(names: list[str]) -> str:
    most = 6
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more
