# SPDX-License-Identifier: MIT
"""Writes the files of `symlab stubs`: C headers, made of an interface by stubs.h.j2."""

import textwrap
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

from jinja2 import Environment

from symlab.errors import UserError
from symlab.files import write_all
from symlab.guest.stubs.interface import Interface, read_interface, words_of

MARK = "// Written by symlab stubs from "  # the first words of every file that may be replaced
INDENT = "    "
COLUMNS = 100


def write_stubs(description: Path, folder: Path) -> list[Path]:
    """Writes the stubs of the interface into `folder`, made if missing; returns their paths. Raises
    UserError if the description is wrong, or if a file exists that is not a stub. Raises
    OutputError if a file cannot be written."""
    texts = _texts(read_interface(description), description.name)
    for name in texts:
        file = folder / name
        if file.exists() and not _is_stub(file):
            raise UserError(
                f"stubs: {file} exists and was not written by this command; remove it, or choose "
                "another folder with --in"
            )
    return write_all(folder, {name: text.encode() for name, text in texts.items()})


def _texts(interface: Interface, source: str) -> dict[str, str]:
    """Name -> text of the files. `source`: the name of the description, for their first line."""
    environment = Environment(trim_blocks=True, keep_trailing_newline=True)
    environment.globals.update(call=_call, words_of=words_of)
    template = files("symlab.guest.stubs") / "stubs.h.j2"
    macros = environment.from_string(template.read_text(encoding="utf-8")).module
    head = f"{MARK}{source}; changes are lost.\n#pragma once\n\n"
    ends = {"": "common", "_client": "client", "_server": "server"}
    made = {end: str(getattr(macros, name)(interface)) for end, name in ends.items()}
    return {f"{interface.name}{end}.h": head + text for end, text in made.items()}


def _call(name: str, words: Sequence[str], end: str, depth: int = 0) -> str:
    """A function's name and its parameters or arguments, on as many lines as they need. `depth`:
    how often the first line will be indented."""
    line = f"{name}({', '.join(words)}){end}"
    if len(INDENT * depth + line) <= COLUMNS:
        return line
    indent = INDENT * (2 + depth)
    fill = textwrap.TextWrapper(COLUMNS, initial_indent=indent, subsequent_indent=indent)
    # A space within a parameter is not where a line ends.
    rest = fill.fill(", ".join(word.replace(" ", "\0") for word in words) + f"){end}")
    return f"{name}(\n" + rest.replace("\0", " ")


def _is_stub(file: Path) -> bool:
    try:
        with file.open("rb") as opened:
            return opened.read(len(MARK)) == MARK.encode()
    except OSError:
        return False
