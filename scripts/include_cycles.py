#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Finds cycles among the includes of sim/: between files, between folders, between top folders.

    scripts/include_cycles.py [ROOT]     prints each cycle with the includes that close it

Exit code 1 if there is one. tests/lab/test_structure.py runs it over the tree.
"""

import itertools
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
INCLUDE = re.compile(r'^#include "(sim/[^"]+)"', re.MULTILINE)
Edges = dict[str, dict[str, tuple[str, str]]]  # from, to, and the include that leads there


def includes(root: Path) -> dict[str, list[str]]:
    """The own headers that each file of sim/ includes, as paths from `root`."""
    files = sorted(f for f in (root / "sim").rglob("*") if f.suffix in (".h", ".cpp"))
    return {str(f.relative_to(root)): INCLUDE.findall(f.read_text(encoding="utf-8")) for f in files}


def edges(of: dict[str, list[str]], depth: int | None = None) -> Edges:
    """Between files; or between folders cut to `depth` parts of their path (99: not cut)."""

    def node(file: str) -> str:
        return file if depth is None else "/".join(file.split("/")[:-1][:depth])

    found: Edges = {}
    for file, headers in of.items():
        for header in headers:
            if node(file) != node(header):
                found.setdefault(node(file), {}).setdefault(node(header), (file, header))
    return found


def cycles(graph: Edges) -> list[list[str]]:
    """One cycle for each include that leads back to a node on the way to it (depth-first search),
    each as its nodes in order, the first one again at the end."""
    found: list[list[str]] = []
    done: set[str] = set()

    def visit(node: str, path: list[str]) -> None:
        if node in path:
            found.append([*path[path.index(node) :], node])
            return
        if node in done:
            return
        for following in sorted(graph.get(node, {})):
            visit(following, [*path, node])
        done.add(node)

    for node in sorted(graph):
        visit(node, [])
    return found


def report(root: Path) -> list[str]:
    """A line for each include on each cycle; empty if there is none."""
    of = includes(root)
    lines = []
    for what, depth in (("files", None), ("folders", 99), ("top folders", 2)):
        graph = edges(of, depth)
        for cycle in cycles(graph):
            lines.append(f"cycle of {what}: {' -> '.join(cycle)}")
            for one, following in itertools.pairwise(cycle):
                file, header = graph[one][following]
                lines.append(f"    {file} includes {header}")
    return lines


if __name__ == "__main__":
    found = report(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT)
    print("\n".join(found) if found else "no include cycle between files, folders or top folders")
    sys.exit(1 if found else 0)
