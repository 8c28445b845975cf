# SPDX-License-Identifier: MIT

from enum import StrEnum
from typing import Annotated

import typer
from rich.text import Text

from symlab.guest import catalogue
from symlab.terminal import console

# mypy knows members only of a literal; these are those of the tree.
Kind = StrEnum("Kind", list(catalogue.KINDS))  # type: ignore[misc]


def list_command(
    kind: Annotated[
        Kind | None,
        typer.Argument(help="locks, barriers, strategies, workloads, machines or figures."),
    ] = None,
) -> None:
    """List locks, workloads, machines and others by name.

    Without a KIND: how many there are of each. A name is that of a file; the text is the first
    sentence of its head comment. At a terminal the text is cut to the width of the screen.
    """
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
