# SPDX-License-Identifier: MIT
"""Begins a lock, barrier, strategy or workload of the user from a template that works as it is."""

import re
from dataclasses import dataclass
from pathlib import Path

from symlab.errors import UserError
from symlab.files import write_all
from symlab.guest import catalogue
from symlab.places import ROOT

TEMPLATES = Path(__file__).parent / "templates"
NAME = re.compile(r"[a-z][a-z0-9-]{0,63}")
LICENCE = re.compile(r"^(//|#) SPDX-License-Identifier: .*\n\n?")  # not the user's licence


@dataclass(frozen=True)
class Skeleton:
    """What `symlab new` writes for one kind of thing. `items`: the kind in the catalogue.
    `endings`: of the files; the first is what the user changes. `then`: arguments of the symlab
    command that runs it, with {file} for the first file."""

    items: str
    endings: tuple[str, ...]
    then: str


SKELETONS = {
    "lock": Skeleton(
        "locks",
        (".h", ".toml"),
        "compare counter --lock {file} --against read,mcs -a increments=2000",
    ),
    "barrier": Skeleton(
        "barriers", (".h",), "compare barriers --barrier {file} --against mcs-tree"
    ),
    "strategy": Skeleton(
        "strategies", (".h",), "compare null_threads --strategy {file} --against single-lock"
    ),
    "workload": Skeleton("workloads", (".c",), "compare {file} --lock read,mcs"),
}


def write_skeleton(kind: str, name: str, folder: Path) -> list[Path]:
    """Writes the files of a new thing into `folder`, made if missing; returns their paths. `kind`:
    a key of SKELETONS. Raises UserError if a file exists, or if `name` is not valid or is taken by
    one of the tree. Raises OutputError if the files cannot be written."""
    skeleton = SKELETONS[kind]
    if not NAME.fullmatch(name):
        raise UserError(
            f"new {kind} {name}: a name is at most 64 small letters, digits and -, a letter first"
        )
    items = catalogue.items(skeleton.items)
    if name in [taken for item in items for taken in (item.name, *item.aliases)]:
        raise UserError(f"new {kind} {name}: symsim has one of that name; take another")
    texts = {f"{name}{ending}": _text(kind + ending, name) for ending in skeleton.endings}
    for file in texts:
        if (folder / file).exists():
            raise UserError(
                f"{folder / file} exists; remove it, or choose another name or folder with --in"
            )
    return write_all(folder, texts)


def _text(template: str, name: str) -> bytes:
    text = (TEMPLATES / template).read_text(encoding="utf-8")
    text = LICENCE.sub("", text).replace("@NAME@", name).replace("@TREE@", str(ROOT))
    return text.encode()
