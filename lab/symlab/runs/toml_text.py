# SPDX-License-Identifier: MIT
"""Parses TOML that a user has written, within the bounds of sim/config/toml_bounds.h.

tomllib recurses into each level of tables and arrays, and its time and memory grow with the square
of the parts of a dotted key. So size and levels are checked before tomllib sees the text.
"""

import re
import stat
import tomllib
from pathlib import Path
from typing import Any

from symlab.errors import UserError

MOST_BYTES = 1 << 20
MOST_LEVELS = 32
MOST_BASES = 32

# Strings and comments, which are passed over, and the characters that nest or end a key. A long
# string may have two quotes before its end. A string that does not end on its line is not TOML.
_TOKEN = re.compile(
    r'"""(?:\\.|[^\\])*?"""+|"""(?:.|\n)*'
    r"|'''[^\0]*?'''+|'''(?:.|\n)*"
    r'|"(?:\\.|[^\\"\n])*"?'
    r"|'[^'\n]*'?"
    r"|#[^\n]*"
    r"|[.=,\n\[\]{}]",
    re.DOTALL,
)


def parse_toml(text: str, where: str) -> dict[str, Any]:
    """What the text says; `where` names it in messages.

    Raises UserError if the text is too large or nested too deeply, tomllib.TOMLDecodeError if it is
    no TOML.
    """
    size = len(text.encode("utf-8", "surrogatepass"))
    if size > MOST_BYTES:
        raise UserError(f"{where}: has {size} bytes, and at most {MOST_BYTES} are read")
    levels, line = _levels(text)
    if levels > MOST_LEVELS:
        raise UserError(
            f"{where}:{line}: has {levels} levels of tables and arrays, and at most "
            f"{MOST_LEVELS} are read; write the values into the tables that symsim --list-keys "
            "prints"
        )
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        raise
    except ValueError as error:  # Python's limit to the digits of a number
        raise tomllib.TOMLDecodeError("a number has too many digits") from error


def read_toml(path: Path) -> dict[str, Any]:
    """What a TOML file says. Raises UserError if it cannot be read or is no such file."""
    try:
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):
            raise UserError(f"{path}: is not a file; give the path of a TOML file")
        if found.st_size > MOST_BYTES:
            raise UserError(f"{path}: has {found.st_size} bytes, and at most {MOST_BYTES} are read")
        # Editors of Windows begin a file with a byte order mark, which symsim passes over too.
        return parse_toml(path.read_text(encoding="utf-8-sig"), str(path))
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UserError(f"{path}: not valid TOML: {error}") from error


def _levels(text: str) -> tuple[int, int]:
    """The most levels of the text, and the line that has them."""
    brackets = dots = most = 0
    line = where = 1
    for token in _TOKEN.finditer(text):
        word = token.group()
        if word == ".":
            dots += 1
        elif word in "=,\n[{]}":
            dots = 0
        if word in "[{":
            brackets += 1
        elif word in "]}":
            brackets = max(brackets - 1, 0)
        line += word.count("\n")
        if brackets + dots > most:
            most, where = brackets + dots, line
    return most, where
