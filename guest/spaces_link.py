#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes what joins the programs of an image with several address spaces: docs/reference/spaces.md.

    spaces_link.py FOLDER NAME...     table.S and spaces.ld in FOLDER, for programs of these names

table.S is the table of the programs (kernel/spaces/program.h) in assembler, spaces.ld the linker
script, from the templates in boot/. spaces.cmake and `symlab cc --space` call it.
"""

import re
import sys
from pathlib import Path

BOOT = Path(__file__).resolve().parent / "boot"
MOST = 8  # MAX_SPACES in include/space.h
NAME = re.compile(r"[a-z][a-z0-9_]{0,14}")  # SPACE_NAME_BYTES there, with the 0 behind it

TABLE = """\
// Written by guest/spaces_link.py.
    .section .rodata, "a", @progbits
{names}    .balign 4
    .globl space_images, space_images_number
space_images:
{entries}space_images_number: .long {number}
    .section .note.GNU-stack, "", @progbits
"""
ENTRY = "    .long name_{0}, {0}.space_program, {0}_code, {0}_data, {0}_end\n"
HEADERS = "    {0}_code PT_LOAD FLAGS(5);\n    {0}_data PT_LOAD FLAGS(6);\n"


def check(names):
    """Ends the process unless programs can have these names."""
    if len(names) > MOST:
        sys.exit(f"{len(names)} spaces, there can be {MOST}")
    for name in names:
        if not NAME.fullmatch(name):
            sys.exit(
                f"space {name}: a name is at most 15 small letters, digits and _, a letter first"
            )
        if names.count(name) > 1:
            sys.exit(f"there are {names.count(name)} spaces {name}; give each a name of its own")


def table_of(names):
    strings = "".join(f'name_{name}: .asciz "{name}"\n' for name in names)
    entries = "".join(ENTRY.format(name) for name in names)
    return TABLE.format(names=strings, entries=entries, number=len(names))


def script_of(names):
    section = (BOOT / "space.ld.in").read_text(encoding="utf-8")
    script = (BOOT / "spaces.ld.in").read_text(encoding="utf-8")
    headers = "".join(map(HEADERS.format, names))
    sections = "".join(section.replace("@space@", name) for name in names)
    return script.replace("@space_headers@", headers).replace("@space_sections@", sections)


def write(file, text):
    """Leaves a file alone that is as it should be: then nothing is built again."""
    if not file.is_file() or file.read_text(encoding="utf-8") != text:
        file.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    folder, names = Path(sys.argv[1]), sys.argv[2:]
    check(names)
    write(folder / "table.S", table_of(names))
    write(folder / "spaces.ld", script_of(names))
