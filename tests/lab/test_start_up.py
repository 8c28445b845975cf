# SPDX-License-Identifier: MIT
"""Help and completion of `symlab` import no package that takes long to import."""

import os
import subprocess
import sys

import pytest
from symlab.cli import COMMANDS

SLOW = {"dask", "distributed", "matplotlib", "numpy", "pandas", "plotly", "pyarrow"}

HELP = [[], *([name] for name in COMMANDS)]
COMPLETED = ["symlab ", "symlab tr", *(f"symlab {name} --" for name in COMMANDS)]


def imports(*arguments: str, **environment: str) -> tuple[str, list[tuple[int, str]]]:
    """Runs `symlab`. Returns its output, and (depth, name) of each module that it imports.

    A module is after the modules that it imports, whose depth is larger.
    """
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "symlab", *arguments],
        env={**os.environ, "COLUMNS": "80", **environment},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    rows = [line.split("|")[-1] for line in done.stderr.splitlines() if "|" in line]
    return done.stdout, [(len(row) - len(row.lstrip()), row.strip()) for row in rows]


def slow_imports(imported: list[tuple[int, str]]) -> list[str]:
    """The slow packages among the imported modules, each with the modules that led to it."""
    found = {}
    for number, (depth, name) in enumerate(imported):
        package = name.partition(".")[0]
        if package in SLOW:
            chain = [name]
            for outer_depth, outer in imported[number:]:
                if outer_depth < depth:
                    depth = outer_depth
                    chain.append(outer)
            found[package] = ", imported by ".join(chain)
    return list(found.values())


@pytest.mark.parametrize("command", HELP, ids=" ".join)
def test_help_imports_no_slow_package(command: list[str]) -> None:
    output, imported = imports(*command, "--help")
    assert output.startswith(" ".join(["Usage: symlab", *command]))
    found = slow_imports(imported)
    assert found == []


@pytest.mark.parametrize("line", COMPLETED)
def test_completion_imports_no_slow_package(line: str) -> None:
    last = str(len(line.split(" ")) - 1)
    asked = {"_SYMLAB_COMPLETE": "complete_bash", "COMP_WORDS": line, "COMP_CWORD": last}
    output, imported = imports(**asked)
    assert output, "nothing is offered"
    found = slow_imports(imported)
    assert found == []


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_completion_script_imports_no_slow_package(shell: str) -> None:
    output, imported = imports(_SYMLAB_COMPLETE=f"source_{shell}")
    assert "symlab" in output
    found = slow_imports(imported)
    assert found == []


def test_a_slow_import_is_found_and_named_with_its_importers() -> None:
    imported = [
        (5, "json"),
        (5, "pandas.core"),
        (3, "pandas"),
        (3, "re"),
        (1, "symlab.results.table"),
    ]
    assert slow_imports(imported) == ["pandas, imported by symlab.results.table"]
