# SPDX-License-Identifier: MIT
"""`symlab reference` renders the output of `symsim --describe` as page and completion, and the
help texts of symlab's own commands as a page. It puts what the locks declare into theirs.

    description -> renderers, each a module with a pure function to text -> files in the tree

The simulator's tables, the help texts and the locks' files are the only sources. The files are
committed, and a test compares them with what would be written.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from symlab.files import write_all
from symlab.places import ROOT

from symlab_tools.reference.check import PAGE as CHECK
from symlab_tools.reference.check import check_page
from symlab_tools.reference.commands import commands_page
from symlab_tools.reference.completion import completion
from symlab_tools.reference.locks import locks_pages
from symlab_tools.reference.markdown import markdown

COMMAND = "./symlab reference"  # writes the files again


def rendered(description: Mapping[str, Any]) -> dict[str, str]:
    """Path from the root of the tree -> text, for each file. `description`: of --describe."""
    return {
        "docs/reference/options-and-keys.md": markdown(description),
        "completions/symsim.bash": completion(description),
        "docs/reference/symlab.md": commands_page(),
        CHECK: check_page(),
        **locks_pages(),
    }


def write_reference(description: Mapping[str, Any], root: Path = ROOT) -> list[Path]:
    """Writes the files below `root`; returns their paths. Raises OutputError."""
    written = []
    for name, text in rendered(description).items():
        path = root / name
        written += write_all(path.parent, {path.name: text.encode()})
    return written


__all__ = ["COMMAND", "ROOT", "rendered", "write_reference"]
