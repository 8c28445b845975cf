# SPDX-License-Identifier: MIT
"""`symlab reference`: what `symsim --describe` says, as a page, a man page and a completion.

    description -> a renderer a module, each a pure function to text -> files in the tree

The simulator's tables are the only source; the files are committed, and a test compares.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from symlab.reference.completion import completion
from symlab.reference.man_page import man_page
from symlab.reference.markdown import markdown
from symlab.store import write_all

ROOT = Path(__file__).resolve().parents[3]

COMMAND = ".venv/bin/symlab reference"  # makes the files anew


def rendered(description: Mapping[str, Any]) -> dict[str, str]:
    """The text of each file, by its path from the root of the tree."""
    return {
        "docs/reference.md": markdown(description),
        "docs/symsim.1": man_page(description),
        "completions/symsim.bash": completion(description),
    }


def write_reference(description: Mapping[str, Any], root: Path = ROOT) -> list[Path]:
    """Writes the files. Raises OutputError."""
    written = []
    for name, text in rendered(description).items():
        path = root / name
        written += write_all(path.parent, {path.name: text.encode()})
    return written


__all__ = ["COMMAND", "ROOT", "rendered", "write_reference"]
