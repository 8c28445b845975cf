# SPDX-License-Identifier: MIT

from enum import StrEnum
from typing import Annotated

import typer
from rich.text import Text

from symlab.commands.options import AsJson
from symlab.guest import catalogue
from symlab.terminal import console, print_json

# mypy knows members only of a literal; these are those of the tree.
Kind = StrEnum("Kind", list(catalogue.KINDS))  # type: ignore[misc]


def list_command(
    kind: Annotated[
        Kind | None,
        typer.Argument(
            metavar="KIND",
            help="locks, barriers, strategies, workloads, machines, figures or papers.",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List locks, workloads, machines and others by name.

    Without a KIND: how many there are of each. A name is that of a file; the text is the first
    sentence of its head comment. At a terminal the text is cut to the width of the screen.
    """
    if as_json:
        print_json(
            {
                name: [_record(item) for item in catalogue.items(name)]
                for name in ([kind] if kind else Kind)
            }
        )
        return
    if kind is None:
        rows = [(f"symlab list {name}", str(len(catalogue.items(name)))) for name in Kind]
    else:
        rows = []
        for item in catalogue.items(kind):
            needs = "; needs a 486" if item.isa == "i486" else ""
            special = f"; {item.special}" if item.special else ""
            names = ", ".join([item.name, *item.aliases])
            rows.append((names, item.description + needs + special))
    width = max(len(name) for name, _ in rows)
    for name, text in rows:
        line = Text(f"{name:<{width}}  {text}")
        if console.is_terminal:
            line.truncate(console.width, overflow="ellipsis")
        console.print(line)


def _record(item: catalogue.Item) -> dict[str, object]:
    return {
        "name": item.name,
        "aliases": item.aliases,
        "description": item.description,
        "file": str(item.file),
        "isa": item.isa,
        "special": item.special,
    }
