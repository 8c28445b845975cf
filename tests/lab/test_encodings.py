# SPDX-License-Identifier: MIT
"""Text files are UTF-8 whatever the locale of the host, so each is opened with that encoding."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("lab/symlab", "guest", "scripts")
NO_FILES = ("os", "webbrowser", "tarfile")  # modules whose open() opens no text file


def of_text(call: ast.Call) -> bool:
    """Whether the call opens, reads or writes a text file."""
    function = call.func
    if isinstance(function, ast.Attribute):
        if function.attr in ("read_text", "write_text"):
            return True
        owner = function.value.id if isinstance(function.value, ast.Name) else ""
        opens, mode_at = function.attr == "open" and owner not in NO_FILES, 0
    else:
        opens, mode_at = isinstance(function, ast.Name) and function.id == "open", 1
    named = [word.value for word in call.keywords if word.arg == "mode"]
    modes = [*call.args[mode_at : mode_at + 1], *named]
    words = [
        part.value for mode in modes for part in ast.walk(mode) if isinstance(part, ast.Constant)
    ]
    return opens and not any("b" in str(word) for word in words)


def without_encoding(text: str) -> Iterator[int]:
    """The lines of a Python file that leave the encoding of a text file to the locale."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call) and of_text(node):
            named = {word.arg for word in node.keywords}
            if not named & {"encoding", None}:
                yield node.lineno


def test_files_are_opened_with_their_encoding() -> None:
    files = [file for folder in FOLDERS for file in (ROOT / folder).rglob("*.py")]
    left = [
        f"{file.relative_to(ROOT)}:{line}"
        for file in files
        for line in without_encoding(file.read_text(encoding="utf-8"))
    ]
    assert len(files) > 100 and not left


@pytest.mark.parametrize(
    ("code", "is_found"),
    [
        ("path.read_text()", True),
        ("path.write_text(words)", True),
        ("open(name)", True),
        ("open(name, 'a')", True),
        ("path.open('w')", True),
        ("path.read_text(encoding='utf-8')", False),
        ("open(name, 'rb')", False),
        ("path.open(mode='wb')", False),
        ("os.open(name, os.O_RDONLY)", False),
    ],
)
def test_what_is_found(code: str, is_found: bool) -> None:
    assert bool([*without_encoding(code)]) == is_found
