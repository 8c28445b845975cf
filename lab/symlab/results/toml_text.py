# SPDX-License-Identifier: MIT
"""Parses TOML that a user has written, within the bounds of sim/config/toml_text.h.

tomllib recurses into each level of tables and arrays, and its time and memory grow with the square
of the parts of a dotted key. So size and levels are checked before tomllib sees the text.
"""

import re
import stat
import tomllib
from collections.abc import Iterator
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


# A part of a dotted key, and the dot after it.
_PART = re.compile(r"""\s*(?:"((?:\\.|[^"\\])*)"|'([^']*)'|([\w-]+))[ \t]*(\.)?""")


def parse_toml(text: str, where: str) -> dict[str, Any]:
    """What the text says; `where` names it in messages. Raises UserError if the text is too large
    or nested too deeply, tomllib.TOMLDecodeError if it is not TOML."""
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
    """What a TOML file says. Raises UserError if it cannot be read or is not a file at all."""
    return read_with_places(path)[0]


def read_with_places(path: Path) -> tuple[dict[str, Any], dict[str, str]]:
    """The same, and the place of each key: dotted key -> FILE:LINE, where it is given first."""
    try:
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):
            raise UserError(f"{path}: is not a file; give the path of a TOML file")
        if found.st_size > MOST_BYTES:
            raise UserError(f"{path}: has {found.st_size} bytes, and at most {MOST_BYTES} are read")
        # Editors of Windows begin a file with a byte order mark, which symsim passes over too.
        text = path.read_text(encoding="utf-8-sig")
        parsed = parse_toml(text, str(path))
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UserError(f"{path}: not valid TOML: {error}") from error
    return parsed, {key: f"{path}:{line}" for key, line in key_lines(text).items()}


def key_lines(text: str) -> dict[str, int]:
    """Dotted key -> the line that gives it first. `text`: valid TOML. Keys of inline tables are
    left out."""
    lines: dict[str, int] = {}
    prefix: list[str] = []
    for line, statement in _statements(text):
        if statement.startswith("["):
            key = prefix = _parts(statement.lstrip("["))
        else:
            key = prefix + _parts(statement)
        lines.setdefault(".".join(key), line)
    return lines


def _statements(text: str) -> Iterator[tuple[int, str]]:
    """Headers of tables and assignments, each with the number of its first line."""
    brackets = start = 0
    for token in [*_TOKEN.finditer(text), None]:
        word = token.group() if token else "\n"
        brackets += (word in "[{") - (word in "]}")
        if word != "\n" or brackets:
            continue
        end = token.start() if token else len(text)
        statement = text[start:end].strip()
        if statement and not statement.startswith("#"):
            yield text.count("\n", 0, start) + 1, statement
        start = end + 1


def _parts(statement: str) -> list[str]:
    """The parts of the dotted key with which the statement begins."""
    parts = []
    at = 0
    while part := _PART.match(statement, at):
        quoted, literal, bare, dot = part.groups()
        parts.append(
            tomllib.loads(f'v = "{quoted}"')["v"] if quoted is not None else literal or bare
        )
        at = part.end()
        if not dot:
            break
    return [part or "" for part in parts]


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
