# SPDX-License-Identifier: MIT
"""The layers of the lab: the core knows no papers, papers know no tools, and no package closes a
cycle. So a search for bugs neither waits for matplotlib nor breaks with a figure of a paper."""

import os
import subprocess
import sys
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest
from doc_tables import ROOT
from grimp import ImportGraph, build_graph

LAYERS = ("symlab_tools", "symlab_papers", "symlab")  # each may import those right of it
BINARY = os.environ.get("SYMSIM_BINARY", "")
DRAWING = ("matplotlib", "plotly", "symlab_papers", "symlab_tools")
COMMANDS = {
    "check": "check guest/locks/mcs.h --search random --schedules 2 --out {out}",
    "sweep": "sweep papers/ALL/figures/figure-4.1.toml --dry-run --set run.seed=2 --out {out}",
}
AFTERWARDS = """
import sys
from symlab.cli import main
try:
    main()
except SystemExit as end:
    print("imported", end.code, sorted({name.partition(".")[0] for name in sys.modules}))
"""


@pytest.fixture(scope="module")
def graph() -> ImportGraph:
    return build_graph(*LAYERS, cache_dir=None)


def wrong_imports(graph: ImportGraph, layers: tuple[str, ...]) -> set[tuple[str, str]]:
    """The imports of a higher layer by a lower one."""
    found = graph.find_illegal_dependencies_for_layers(layers=layers)
    return {(one.importer, one.imported) for one in found}


def cycle(graph: ImportGraph, root: str) -> list[str]:
    """Packages and modules directly below `root` that import each other in a circle."""
    parts = graph.find_children(root)
    of = {m: part for part in parts for m in (part, *graph.find_descendants(part))}
    imports = {
        part: {
            of[imported]
            for module in (part, *graph.find_descendants(part))
            for imported in graph.find_modules_directly_imported_by(module)
            if of.get(imported, part) != part
        }
        for part in parts
    }
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as found:
        return list(found.args[1])
    return []


def test_no_layer_imports_a_higher_one(graph: ImportGraph) -> None:
    assert not wrong_imports(graph, LAYERS)


@pytest.mark.parametrize("root", LAYERS)
def test_no_packages_import_each_other(graph: ImportGraph, root: str) -> None:
    assert not cycle(graph, root)


def test_a_wrong_import_and_a_cycle_are_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, text in {
        "low/__init__": "", "low/a/__init__": "from low import b", "low/b": "import low.a",
        "low/c": "def late():\n    from high import papers", "high/__init__": "", "high/papers": "",
    }.items():  # fmt: skip
        path = tmp_path / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    made = build_graph("low", "high", cache_dir=None)
    assert wrong_imports(made, ("high", "low")) == {("low", "high")}
    assert set(cycle(made, "low")) == {"low.a", "low.b"}
    assert not cycle(made, "high")


@pytest.mark.skipif(not BINARY, reason="SYMSIM_BINARY names no simulator")
@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_that_draws_nothing_imports_no_matplotlib_and_no_papers(
    command: str, tmp_path: Path
) -> None:
    arguments = COMMANDS[command].format(out=tmp_path / "results").split()
    ended = subprocess.run(
        [sys.executable, "-c", AFTERWARDS, *arguments], cwd=ROOT, capture_output=True, text=True
    )
    last = ended.stdout.splitlines()[-1]
    assert last.startswith("imported 0"), ended.stdout + ended.stderr
    assert not [name for name in DRAWING if f"'{name}'" in last]
