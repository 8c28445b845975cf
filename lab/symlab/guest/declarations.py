# SPDX-License-Identifier: MIT
"""What locks, barriers and strategies declare in their own files, in lines such as

    #define LOCK_FIFO arrival

guest/include/lock.h lists the declarations. CMake reads the same lines (guest/catalogue.cmake).
"""

import functools
import re
from dataclasses import dataclass
from pathlib import Path

from symlab.places import GUEST

DEFINE = re.compile(r"^#define ([A-Z_0-9]+) (.*)$", re.MULTILINE)
INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)
COMMENT = re.compile(r" *//.*$")


@dataclass(frozen=True)
class Parameter:
    """A lock with a parameter: NAME-7 is the lock NAME with `macro` 7. `values`: those of which
    the tree builds images."""

    macro: str
    values: tuple[str, ...]


def declared(file: Path, name: str) -> str:
    """What `file` declares under `name`, or else a file that it includes from its own folder or
    from guest/locks; "" if none does. Text is without its quotes."""
    own = own_declaration(file, name)
    if own is not None:
        return own
    for part in INCLUDE.findall(_text(file)):
        for folder in (file.parent, GUEST / "locks"):
            if (folder / part).is_file():
                if value := declared(folder / part, name):
                    return value
                break
    return ""


def own_declaration(file: Path, name: str) -> str | None:
    """What the file itself declares under `name`; None if it does not."""
    for found, value in DEFINE.findall(_text(file)):
        if found == name:
            return COMMENT.sub("", value).strip().strip('"')
    return None


def parameter(file: Path, kind: str) -> Parameter | None:
    """The parameter of a lock, if it has one. `kind`: LOCK, BARRIER or STRATEGY."""
    words = declared(file, f"{kind}_PARAMETER").split()
    return Parameter(words[0], tuple(words[1:])) if words else None


def default(name: str) -> str:
    """What guest/defaults.txt has for "lock", "threads-lock", "strategy" or "barrier"."""
    lines = (GUEST / "defaults.txt").read_text(encoding="utf-8").splitlines()
    words = [line.split() for line in lines if not line.startswith("#")]
    return next(found for word, found in (w for w in words if w) if word == name)


def _text(file: Path) -> str:
    return _read(file, file.stat().st_mtime_ns)


@functools.cache
def _read(file: Path, _changed: int) -> str:
    return file.read_text(encoding="utf-8", errors="replace")
