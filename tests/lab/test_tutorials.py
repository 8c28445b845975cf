# SPDX-License-Identifier: MIT
"""The tutorials of docs/, followed word for word, print the output that they quote."""

import json
import os
import re
from pathlib import Path

import pandas as pd
import pytest
import tutorial
from symlab.guest.compiling import GUEST

TREE = GUEST.parent
DOCS = TREE / "docs"

needs_simulator = pytest.mark.skipif(
    not os.environ.get("SYMSIM_BINARY"), reason="SYMSIM_BINARY names no simulator"
)


# Pages that quote what commands print, in blocks `sh` and `text`; tutorials have further tests.
QUOTING = [TREE / "README.md", *sorted(DOCS.rglob("*.md"))]
QUOTING = [page for page in QUOTING if "\n```text\n" in page.read_text(encoding="utf-8")]
OTHERS = [page for page in QUOTING if page.parent.name != "tutorials"]


def follow(page: Path, tree: Path, home: Path) -> None:
    """Follows the page; fails if a quoted output differs from the printed one."""
    printed = tutorial.follow(page, tree, home)
    for number, quoted in tutorial.quotes(tutorial.blocks_of(page)):
        assert tutorial.is_printed(quoted, printed[number]), f"{quoted}\nbut\n{printed[number]}"


def same_picture(made: Path, name: str) -> None:
    committed = DOCS / "pictures" / name
    assert made.read_bytes() == committed.read_bytes(), f"cp {made} {committed}"


@needs_simulator
def test_a_lock_from_an_empty_file_to_a_figure_with_five_others(tmp_path):
    follow(DOCS / "tutorials/your-own-lock.md", TREE, tmp_path)
    results = tmp_path / "pause" / "results" / "pause"
    runs = pd.read_csv(results / "pause.csv")
    assert (runs.status == "finished").all()
    times = runs.pivot(index="processors", columns="lock", values="elapsed_us")
    assert times.index.tolist() == [1, 2, 4, 8, 12, 16, 20]
    assert times.columns.tolist() == ["backoff", "mcs", "pause", "read", "ticket", "xchgb"]
    assert times.notna().all(axis=None)
    same_picture(tmp_path / "pause" / "pause-64.svg", "tutorial-lock.svg")


@needs_simulator
def test_a_whole_program_outside_the_tree_from_its_files_to_a_speed_up(tmp_path):
    follow(DOCS / "tutorials/your-own-program.md", TREE, tmp_path)
    folder = tmp_path / "queens"
    runs = pd.read_csv(folder / "results" / "queens" / "queens.csv")
    assert (runs.status == "finished").all() and (runs.solutions == 352).all()
    times = runs.pivot(index="processors", columns="protocol", values="elapsed_us")
    assert times.index.tolist() == [1, 2, 4, 8, 12, 16, 20]
    assert times.notna().all(axis=None)
    same_picture(folder / "results" / "queens" / "queens.svg", "tutorial-program.svg")
    assert "queens.elf" in (folder / "results" / "twenty" / "report.html").read_text()
    assert (folder / "speedup.png").stat().st_size > 0


@needs_simulator
def test_a_server_and_its_client_from_the_interface_to_the_cost_of_a_call(tmp_path):
    follow(DOCS / "tutorials/your-own-server.md", TREE, tmp_path)
    results = tmp_path / "stock" / "results"
    calls = {
        name: json.loads((results / name / "summary.json").read_text())["guest"]["results"][
            "call_ns"
        ]
        for name in ("one", "two")
    }
    assert 2 < calls["one"] / calls["two"] < 5, "the page says about three"
    assert 200_000 < calls["two"] < 400_000, "the page says about 300,000"
    assert (results / "trace" / "trace.pftrace").stat().st_size > 0


@needs_simulator
@pytest.mark.parametrize("page", OTHERS, ids=lambda page: str(page.relative_to(TREE)))
def test_a_page_quotes_what_its_commands_print(page, tmp_path, monkeypatch):
    """In a folder that has all of the tree but its results."""
    tree = tmp_path / "tree"
    tree.mkdir()
    for entry in TREE.iterdir():
        if entry.name != "results":
            (tree / entry.name).symlink_to(entry)
    monkeypatch.setenv("PATH", f"{TREE / '.venv/bin'}:{TREE}:{os.environ['PATH']}")
    follow(page, tree, tmp_path)


def test_the_pages_that_are_followed():
    assert len(OTHERS) >= 4 and len(QUOTING) == len(OTHERS) + 3


def page_of(folder: Path, text: str) -> Path:
    page = folder / "page.md"
    page.write_text(text)
    return page


def test_blocks_run_in_one_shell_and_files_get_the_names_in_the_text(tmp_path):
    page = page_of(
        tmp_path,
        "```sh\nmkdir ~/in\ncd ~/in\nx=3\n```\nFirst `no.h`, then `a.c`:\n```c\nint a;\n```\n"
        "```sh\ncat a.c; echo $x\nfalse || echo told >&2\n```\n```text\nint a;\n3\ntold\n```\n",
    )
    blocks = tutorial.blocks_of(page)
    assert tutorial.follow(page, tmp_path, tmp_path) == {0: "", 2: "int a;\n3\ntold\n"}
    assert tutorial.quotes(blocks) == [(2, "int a;\n3\ntold\n")]
    assert blocks[1] == tutorial.Block("c", "int a;\n", "a.c")


def test_a_command_that_fails_fails_the_page(tmp_path):
    page = page_of(tmp_path, "```sh\necho before\nfalse\n```\n```sh\ntrue\n```\n")
    with pytest.raises(AssertionError, match="before"):
        tutorial.follow(page, tmp_path, tmp_path)


@pytest.mark.parametrize(
    "text",
    ["```\nls\n```\n", "```c\nint a;\n```\n", "`a.c`\n```toml\na = 1\n```\n", "```rust\n1\n```\n"],
)
def test_a_block_without_a_purpose_is_refused(tmp_path, text):
    with pytest.raises(ValueError, match=re.escape("page.md")):
        tutorial.blocks_of(page_of(tmp_path, text))


@pytest.mark.parametrize(
    ("quoted", "printed", "same"),
    [
        ("a\nb\n", "a  \nb\n", True),
        ("a\n...\nd\n", "a\nb\nc\nd\n", True),
        ("a\n...\nd\n", "a\nd\n", True),
        ("a\n...\n", "a\nb\n", True),
        ("host  ... s\n", "host  0.3 s\n", True),
        ("host  ... s\n", "host  0.3 ms\nb s\n", False),
        ("a\nc\n", "a\nb\nc\n", False),
        ("b\n", "a\nb\n", False),
        ("a\n", "a\nb\n", False),
        ("a.c\n", "abc\n", False),
    ],
)
def test_only_dots_stand_for_omitted_output(quoted, printed, same):
    assert tutorial.is_printed(quoted, printed) is same
