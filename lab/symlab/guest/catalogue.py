# SPDX-License-Identifier: MIT
"""What this tree offers by name: locks, barriers, strategies, workloads, machines, figures.

Each is one file, whose name is its name and whose head comment describes it. Locks, barriers and
strategies declare the rest (declarations.py). So a new file is offered at once, and no list has to
be edited.
"""

import difflib
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from symlab.errors import UserError
from symlab.guest.declarations import declared, own_declaration, parameter
from symlab.places import GUEST

# How the declarations of a kind begin.
PREFIXES = {"locks": "LOCK", "barriers": "BARRIER", "strategies": "STRATEGY"}

NUMBERED = re.compile(r"(.+)-(0|[1-9][0-9]*)")
COMMENT = re.compile(r"^(?://|#) ?(.*)$")
# A full stop ends a sentence unless it ends an initial or one of these abbreviations.
WORD_END = r"(?:(?<!\b[A-Z])(?<!Univ)(?<!Trans)(?<!Int)|(?<=Model [AB]))"
SENTENCE_END = re.compile(WORD_END + r"\.(?=\s|$)")


@dataclass(frozen=True)
class Item:
    """One thing that has a name. `description`: the first sentence of its file's head comment.

    `aliases`: further names, with which it is found too. `isa`: the instruction set that a lock
    needs, "i386" or "i486". `special`: why "all" leaves it out; "" if it does not. `options`: for
    gcc, of a lock with a value of its parameter. `numbered`: whether NAME-7 is one, too. `kernel`:
    whether only programs of processes can have the lock.
    """

    name: str
    file: Path
    description: str
    aliases: tuple[str, ...] = ()
    isa: str = "i386"
    special: str = ""
    options: tuple[str, ...] = ()
    numbered: bool = False
    kernel: bool = False


def locks(guest: Path = GUEST) -> list[Item]:
    """The locks of guest/locks; headers that are only parts of other locks are left out."""
    return _headers(guest / "locks", PREFIXES["locks"])


def barriers(guest: Path = GUEST) -> list[Item]:
    """The barriers of guest/barriers."""
    return _headers(guest / "barriers", PREFIXES["barriers"])


def strategies(guest: Path = GUEST) -> list[Item]:
    """The strategies of the thread package."""
    return _headers(guest / "threads" / "strategies", PREFIXES["strategies"])


def workloads(guest: Path = GUEST) -> list[Item]:
    """The programs of guest/workloads."""
    return _sorted(_item(file, file.stem) for file in (guest / "workloads").glob("*.c"))


def machines(guest: Path = GUEST) -> list[Item]:
    """The configs of machines, without anything to run."""
    folder = guest.parent / "configs" / "machines"
    return _sorted(_item(file, file.stem) for file in folder.glob("*.toml"))


def figures(guest: Path = GUEST) -> list[Item]:
    """The sweeps of the papers' figures and tables: `ALL/figure-4.1`."""
    folder = guest.parent / "configs" / "figures"
    files = folder.glob("*/*.toml")
    return _sorted(_item(f, f"{f.parent.name}/{f.name.removesuffix('.toml')}") for f in files)


KINDS: dict[str, Callable[[Path], list[Item]]] = {
    "locks": locks,
    "barriers": barriers,
    "strategies": strategies,
    "workloads": workloads,
    "machines": machines,
    "figures": figures,
}


def find(kind: str, name: str, guest: Path = GUEST) -> Item:
    """The item of `kind`, a key of KINDS, with this name or alias; static-7 is `static` with the
    parameter 7.

    Raises UserError that names all there are.
    """
    items = KINDS[kind](guest)
    for item in items:
        if name == item.name or name in item.aliases:
            return item
    if numbered := NUMBERED.fullmatch(name):
        for item in items:
            if item.numbered and item.name == numbered[1]:
                return _variant(item, PREFIXES[kind], numbered[2])
    known = [known for item in items for known in (item.name, *item.aliases)]
    nearest = difflib.get_close_matches(name, known, 1)
    hint = f"did you mean {nearest[0]}? There" if nearest else "there"
    names = ", ".join(sorted(item.name for item in items))
    raise UserError(f"{name} is none of the {kind}; {hint} are {names}")


def _headers(folder: Path, prefix: str) -> list[Item]:
    """Those that define their name. The others are parts of them. A lock with a parameter is there
    with each value of which the tree has images, and special without one."""
    items = []
    for file in folder.glob("*.h"):
        if own_declaration(file, f"{prefix}_NAME") is None:
            continue
        item = _header(file, prefix)
        items.append(item)
        if has := parameter(file, prefix):
            items += [_variant(item, prefix, value) for value in has.values]
    return _sorted(items)


def _header(file: Path, prefix: str) -> Item:
    special = declared(file, f"{prefix}_SPECIAL")
    has = parameter(file, prefix)
    if has:
        special = special or f"{file.stem}-N has {has.macro} N"
    aliases = own_declaration(file, f"{prefix}_ALIAS") or ""
    return Item(
        file.stem,
        file,
        description(file),
        tuple(aliases.split()),
        isa(file),
        special,
        numbered=has is not None,
        kernel=kernel(file),
    )


def _variant(item: Item, prefix: str, value: str) -> Item:
    """The lock with this value of its parameter."""
    has = parameter(item.file, prefix)
    assert has
    name = f"{item.name}-{value}"
    options = (f'-D{prefix}_NAME="{name}"', f"-D{has.macro}={value}")
    text = f"{item.description}; {has.macro} {value}"
    special = item.special if item.kernel else ""
    return Item(
        name, item.file, text, isa=item.isa, special=special, options=options, kernel=item.kernel
    )


def _sorted(items: Iterable[Item]) -> list[Item]:
    return sorted(items, key=lambda item: item.name)


def _item(file: Path, name: str) -> Item:
    return Item(name, file, description(file))


def isa(file: Path) -> str:
    """The instruction set that a lock needs, "i386" or "i486". `file`: its header."""
    return declared(file, "LOCK_ISA") or "i386"


def kernel(file: Path) -> bool:
    """Whether a lock needs a program of processes. `file`: its header."""
    return declared(file, "LOCK_KERNEL") == "1"


def description(file: Path) -> str:
    """The first sentence of the head comment, without its full stop; empty if there is none."""
    text = " ".join(_head_comment(file.read_text(encoding="utf-8").splitlines()))
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
