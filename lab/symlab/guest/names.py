# SPDX-License-Identifier: MIT
"""Keeps the names of a program apart from those of the guest library.

The library has global functions such as put() and report() beside those of the C standard. An
ordinary program may have functions or variables of the same names. Its own code is to use these,
and the library its own: as with the library of a Unix system, whose internal names are reserved.
"""

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from symlab.errors import UserError

# C reserves the first for compilers and their libraries; the second are symsim's own, such as the
# symbols that the simulator looks for. A program that defines them means them.
RESERVED = ("_", "symsim_")


def keep_apart(program: Sequence[str], library: Sequence[str], folder: Path) -> list[str]:
    """The files of the program, in their order. `library`: all other files of the image.

    If the program defines a name of the library, NAME, all its files are replaced by copies in
    `folder` in which it is NAME.program. Raises UserError if there are no binutils.
    """
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


def binutils(tool: str, *arguments: str) -> str:
    """What a program of binutils prints. Raises UserError."""
    found = shutil.which(tool)
    if found is None:
        raise UserError(f"cc: there is no {tool} in $PATH; apt-get install binutils")
    done = subprocess.run([found, *arguments], capture_output=True, text=True)
    if done.returncode != 0:
        raise UserError(f"cc: {tool} failed: {done.stderr.strip()}")
    return done.stdout
