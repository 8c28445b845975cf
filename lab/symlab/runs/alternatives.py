# SPDX-License-Identifier: MIT
"""The locks, barriers or strategies that an experiment compares: of the tree, or headers of the
user."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from symlab.errors import UserError
from symlab.guest import catalogue
from symlab.guest.catalogue import KIND_OF_OPTION, declared, own_declaration
from symlab.runs.axes import ALL

NAME = re.compile(r"[A-Za-z0-9]([A-Za-z0-9_.+-]*[A-Za-z0-9])?")  # a part of names of files


@dataclass(frozen=True)
class Alternative:
    """A lock, barrier or strategy. `given`: as `symlab cc` takes it, a name or a path. `kernel`:
    a lock that needs a program of processes."""

    name: str
    given: str
    isa: str = "i386"
    kernel: bool = False


def find_alternatives(kind: str, names: Sequence[str]) -> list[Alternative]:
    """The alternatives by name or header, each once; "all" stands for all of the kind."""
    items = KIND_OF_OPTION[kind]
    found: dict[str, Alternative] = {}
    for name in names:
        if name == ALL:
            everything = [item for item in catalogue.items(items) if not item.special]
            found |= {i.name: Alternative(i.name, i.name, i.isa) for i in everything}
            continue
        one = find_alternative(kind, name)
        if one.name in found and found[one.name].given != one.given:
            raise UserError(f"--{kind}: {found[one.name].given} and {name} are both {one.name}")
        found[one.name] = one
    return list(found.values())


def own_names(alternatives: list[Alternative], compared: list[Alternative]) -> tuple[str, ...]:
    """The names of the alternatives that the user wrote, else of `compared`; none if these are all.
    `compared`: those that are compared with others by --against."""
    written = [one for one in alternatives if one.given.endswith(".h")]
    own = written or compared
    return tuple(one.name for one in own) if len(own) < len(alternatives) else ()


def find_alternative(kind: str, name: str) -> Alternative:
    """The one of this name or header. Raises UserError."""
    if not name.endswith(".h"):
        item = catalogue.find(KIND_OF_OPTION[kind], name)
        return Alternative(item.name, item.name, item.isa, item.kernel)
    path = Path(name)
    if not path.is_file():
        raise UserError(f"--{kind} {name}: no such file")
    if kind == "strategy":  # an image compares the argument with the file's name
        return Alternative(path.stem, name)
    word = f"{kind.upper()}_NAME"
    named = own_declaration(path, word)
    if not named and (of_part := declared(path, word)):
        raise UserError(
            f"--{kind} {name}: its {word} is that of a file which it includes, {of_part}; "
            f'add below the #include: #undef {word}, and #define {word} "{path.stem}"'
        )
    if named and not NAME.fullmatch(named):
        raise UserError(
            f'--{kind} {name}: {word} "{named}": a name of results has letters, digits, and '
            "- _ . + between them"
        )
    return Alternative(named or path.stem, name, catalogue.isa(path), catalogue.kernel(path))


def nameless(headers: Mapping[tuple[str, str], Path]) -> str:
    """What to add to a header that does not say its name, which programs compare with an argument;
    "" if all do. `headers`: by kind and name."""
    for (kind, name), file in headers.items():
        word = f"{kind.upper()}_NAME"
        if kind != "strategy" and not declared(file, word):
            return f'; {file} says no name: add the line `#define {word} "{name}"`'
    return ""
