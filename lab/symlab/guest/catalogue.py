# SPDX-License-Identifier: MIT
"""What this tree offers by name: locks, barriers, strategies, workloads, machines, figures, papers.

Each is one file, whose name is its name and whose head comment describes it. Locks, barriers and
strategies declare the rest in lines such as

    #define LOCK_FIFO arrival

guest/include/lock.h lists the declarations. CMake reads the same lines (guest/catalogue.cmake).
So a new file is offered at once, and no list has to be edited.
"""

import difflib
import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from symlab.errors import UserError
from symlab.places import GUEST

DEFINE = re.compile(r"^#define ([A-Z_0-9]+) (.*)$", re.MULTILINE)
INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)
DEFINE_COMMENT = re.compile(r" *//.*$")
# Option of `symlab cc` and argument of a guest -> kind.
KIND_OF_OPTION = {"lock": "locks", "barrier": "barriers", "strategy": "strategies"}
# Kind -> folder of its headers below guest/, and how their declarations begin.
HEADERS = {"locks": "locks", "barriers": "barriers", "strategies": "threads/strategies"}
PREFIXES = {"locks": "LOCK", "barriers": "BARRIER", "strategies": "STRATEGY"}
# Kind -> patterns of its other files beside guest/: programs; machines without anything to run; the
# sweeps of papers, and others. What a * stands for is part of the name: `ALL/figure-4.1`.
FILES = {
    "workloads": ("guest/workloads/*.c",),
    "machines": ("configs/machines/*.toml",),
    "figures": ("papers/*/figures/*.toml", "configs/figures/*/*.toml"),
    "papers": ("papers/*/paper.toml",),
}
KINDS = (*HEADERS, *FILES)
NUMBERED = re.compile(r"(.+)-(0|[1-9][0-9]*)")
TITLE = re.compile(r'^title = "(.*)"$', re.MULTILINE)  # of a paper
COMMENT = re.compile(r"^(?://|#) ?(.*)$")
# A full stop ends a sentence unless it ends an initial or one of these abbreviations.
WORD_END = r"(?:(?<!\b[A-Z])(?<!Univ)(?<!Trans)(?<!Int)|(?<=Model [AB]))"
SENTENCE_END = re.compile(WORD_END + r"\.(?=\s|$)")


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
            return DEFINE_COMMENT.sub("", value).strip().strip('"')
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


@dataclass(frozen=True)
class Item:
    """One thing that has a name. `description`: the first sentence of its file's head comment.

    `aliases`: further names, with which it is found too. `isa`: the instruction set that a lock
    needs, "i386" or "i486". `special`: why "all" leaves it out; "" if it does not. `options`: for
    gcc, of a lock with a value of its parameter. `macro`: of a lock with a parameter, whose NAME-7
    is one, too; "" for all others. `kernel`: whether only programs of processes can have the lock.
    """

    name: str
    file: Path
    description: str
    aliases: tuple[str, ...] = ()
    isa: str = "i386"
    special: str = ""
    options: tuple[str, ...] = ()
    macro: str = ""
    kernel: bool = False


def items(kind: str, guest: Path = GUEST) -> list[Item]:
    """All of a kind of KINDS, by name. Headers that are only parts of others are left out. A lock
    with a parameter is there with each value of which the tree has images, and special without one.
    """
    if kind in HEADERS:
        found = _headers(guest / HEADERS[kind], PREFIXES[kind])
    else:
        files = ((p, file) for p in FILES[kind] for file in guest.parent.glob(p))
        found = (Item(_matched(p, file), file, description(file)) for p, file in files)
    return sorted(found, key=lambda item: item.name)


def _matched(pattern: str, file: Path) -> str:
    """What the stars of the pattern stand for in the path: `ALL/figure-4.1`."""
    wanted = pattern.split("/")
    parts = zip(wanted, file.with_suffix("").parts[-len(wanted) :], strict=True)
    return "/".join(part for want, part in parts if "*" in want)


def find(kind: str, name: str, guest: Path = GUEST) -> Item:
    """The item of a kind of KINDS with this name or alias; static-7 is `static` with parameter 7.
    Raises UserError that names all there are."""
    if kind in HEADERS and "/" not in name:  # most are files, and to read all takes 0.1 s
        file = guest / HEADERS[kind] / f"{name}.h"
        if file.is_file() and (found := next(_of_header(file, PREFIXES[kind]), None)):
            return found
    offered = items(kind, guest)
    for item in offered:
        if name == item.name or name in item.aliases:
            return item
    if numbered := NUMBERED.fullmatch(name):
        for item in offered:
            if item.macro and item.name == numbered[1]:
                return _variant(item, PREFIXES[kind], numbered[2])
    known = [known for item in offered for known in (item.name, *item.aliases)]
    nearest = difflib.get_close_matches(name, known, 1)
    hint = f"did you mean {nearest[0]}? There" if nearest else "there"
    names = ", ".join(sorted(item.name for item in offered))
    one = "strategy" if kind == "strategies" else kind.removesuffix("s")
    raise UserError(f"there is no {one} {name}; {hint} are {names}")


def header(kind: str, given: str) -> Path:
    """The header that a name of a kind of HEADERS, or a path, stands for. Raises UserError."""
    return Path(given) if given.endswith(".h") else find(kind, given).file


def _headers(folder: Path, prefix: str) -> Iterator[Item]:
    for file in folder.glob("*.h"):
        yield from _of_header(file, prefix)


def _of_header(file: Path, prefix: str) -> Iterator[Item]:
    """The item, then its variants; none if the file does not define its name."""
    if own_declaration(file, f"{prefix}_NAME") is None:
        return
    has = parameter(file, prefix)
    special = declared(file, f"{prefix}_SPECIAL")
    item = Item(
        file.stem,
        file,
        description(file),
        tuple((own_declaration(file, f"{prefix}_ALIAS") or "").split()),
        isa(file),
        special or (f"{file.stem}-N has {has.macro} N" if has else ""),
        macro=has.macro if has else "",
        kernel=kernel(file),
    )
    yield item
    yield from (_variant(item, prefix, value) for value in (has.values if has else ()))


def _variant(item: Item, prefix: str, value: str) -> Item:
    """The lock with this value of its parameter."""
    name = f"{item.name}-{value}"
    options = (f'-D{prefix}_NAME="{name}"', f"-D{item.macro}={value}")
    text = f"{item.description}; {item.macro} {value}"
    special = item.special if item.kernel else ""
    return Item(
        name, item.file, text, isa=item.isa, special=special, options=options, kernel=item.kernel
    )


def isa(file: Path) -> str:
    """The instruction set that a lock needs, "i386" or "i486". `file`: its header."""
    return declared(file, "LOCK_ISA") or "i386"


def kernel(file: Path) -> bool:
    """Whether a lock needs a program of processes. `file`: its header."""
    return declared(file, "LOCK_KERNEL") == "1"


def description(file: Path) -> str:
    """The title of a paper; else the first sentence of the head comment, without its full stop.
    Empty if there is none."""
    content = file.read_text(encoding="utf-8")
    if file.name == "paper.toml" and (title := TITLE.search(content)):
        return title[1]
    text = " ".join(_head_comment(content.splitlines()))
    return SENTENCE_END.split(text, maxsplit=1)[0].strip()


def _head_comment(lines: list[str]) -> Iterator[str]:
    """The lines of the first comment, up to an empty line. A line `Idea: ...` begins a new
    thought."""
    begun = False
    for line in lines:
        found = COMMENT.match(line)
        text = found[1].strip() if found else ""
        ignored = text.startswith(("SPDX-License-Identifier", "pragma once"))
        if begun and (not text or text.startswith("Idea:")):
            return
        if text and not ignored:
            begun = True
            yield text
