# SPDX-License-Identifier: MIT
"""Builds an image with several address spaces for `symlab cc --space`: docs/reference/spaces.md.

It does what guest/spaces.cmake does. guest/spaces_link.py writes the table of the programs and the
linker script for both.
"""

import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from symlab.errors import UserError
from symlab.guest.binutils import binutils, keep_apart
from symlab.guest.library import GuestCompiler, read_flags

DEFINE = "-DSYMSIM_SPACES"
NOT_OF_A_SPACE = (
    "processor.c"  # of guest/threads: it starts all processors, as the kernel does here
)


def parse_spaces(words: Iterable[str]) -> dict[str, list[Path]]:
    """The files of each space, from words NAME=FILE. A name may come again, with another file.
    Raises UserError if a word has another form or a file does not exist."""
    found: dict[str, list[Path]] = {}
    for word in words:
        name, equals, file = word.partition("=")
        if not equals or not name or Path(file).suffix != ".c":
            raise UserError(f"cc: --space {word}: write NAME=FILE.c, such as server=server.c")
        if not Path(file).is_file():
            raise UserError(f"cc: --space {word}: no such file: {file}")
        found.setdefault(name, []).append(Path(file))
    return found


def package(guest: Path) -> list[Path]:
    """The files that are compiled for each program, besides its own."""
    files: list[Path] = []
    for folder in ("threads", "urpc", "kernel/spaces/user"):
        files += sorted((guest / folder).glob("*.[cS]"))
    files += [guest / file for file in read_flags(guest, "space")]
    return [file for file in files if file != guest / "threads" / NOT_OF_A_SPACE]


def kernel(guest: Path) -> list[Path]:
    """The files of the kernel of spaces."""
    files = sorted((guest / "kernel/spaces").glob("*.c"))
    return files + [guest / file for file in read_flags(guest, "space-kernel")]


def write_link_files(guest: Path, names: Sequence[str], folder: Path) -> tuple[Path, Path]:
    """Writes the table of the programs and the linker script into `folder`; returns their paths.
    Raises UserError if programs cannot have these names."""
    command = [sys.executable, str(guest / "spaces_link.py"), str(folder), *names]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise UserError(f"cc: {done.stderr.strip()}")
    return folder / "table.S", folder / "spaces.ld"


def join(name: str, objects: Sequence[str], library: Sequence[str], folder: Path) -> str:
    """Joins the objects of a program with the library that it needs, and returns the result: one
    object, in which each symbol is local and begins with the name of the space, but
    NAME.space_program. As make_program() of guest/cached.py.

    `library`: objects and archives. Raises UserError if the linker reports an error.
    """
    place = folder / name
    place.mkdir()
    own = keep_apart(objects, library, place)
    program = str(folder / f"{name}.space.o")  # the linker script knows it by this name
    for command in (
        ["ld", "-m", "elf_i386", "-r", "-o", program, *own, *library],
        ["objcopy", f"--prefix-symbols={name}.", program],
        ["objcopy", f"--keep-global-symbol={name}.space_program", program],
    ):
        binutils(*command, what=f"the program of space {name}")
    return program


def compile_kernel(
    compiler: GuestCompiler, table: Path, folder: Path, checks: Sequence[str]
) -> list[str]:
    """Compiles the kernel and the table of the programs; returns the objects. `checks`: the options
    by which the kernel checks itself."""
    place = folder / "kernel"
    place.mkdir()
    options = [*read_flags(compiler.guest, "freestanding"), *checks]
    jobs = [(file, options) for file in [table, *kernel(compiler.guest)]]
    return [str(path) for path in compiler.compile_all(jobs, place)]
