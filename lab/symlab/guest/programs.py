# SPDX-License-Identifier: MIT
"""Which files are programs, by their headers, and what a compiler must not write over."""

import struct
from collections.abc import Iterable
from pathlib import Path

from symlab.errors import UserError

ELF = b"\x7fELF"  # with which a program begins
HEADER = struct.Struct("<16sHHIIIIIHHH")  # of a 32-bit file, up to the number of segments
SEGMENT = struct.Struct("<III20x")  # type, offset, address, and five more words
I386, EXECUTABLE, INDEPENDENT, LOAD = 3, 2, 3, 1  # values of elf.h
DEFAULT_BEGIN = 0x08000000  # where linkers put programs (sim/image/linux_program.cpp)


def is_elf(path: Path) -> bool:
    """Whether the file begins as a program does, of whatever system."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(len(ELF)) == ELF


def is_linux_program(path: Path) -> bool:
    """Whether the simulator runs the file on its kernel for Linux programs."""
    if not is_elf(path):
        return False
    content = path.read_bytes()
    try:
        ident, kind, machine, _, _, segments, _, _, _, size, number = HEADER.unpack_from(content)
        each = [SEGMENT.unpack_from(content, segments + size * i) for i in range(number)]
    except struct.error:
        return False
    loaded = [(offset, address) for what, offset, address in each if what == LOAD]
    if ident[4] != 1 or machine != I386 or not loaded:  # 1: of 32 bits
        return False
    # A program of Linux finds its headers in its memory; one for the bare machine has none there.
    placed = loaded[0][0] == 0 or min(address for _, address in loaded) >= DEFAULT_BEGIN
    return kind == INDEPENDENT or (kind == EXECUTABLE and placed)


def keep_others(output: Path, inputs: Iterable[Path]) -> None:
    """Raises UserError if the output would replace an input, or is not a program: such as a header
    that a source includes."""
    if not output.is_file():
        return
    for file in inputs:
        if file.is_file() and file.samefile(output):
            raise UserError(f"cc: -o {output}: this is an input, {file}; name another output")
    if output.stat().st_size > 0 and not is_elf(output):
        said = "this file exists and is not a program; name another output"
        raise UserError(f"cc: -o {output}: {said}")
