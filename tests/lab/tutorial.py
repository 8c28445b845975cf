# SPDX-License-Identifier: MIT
"""Follows a tutorial of docs/ as a reader does: block by block, unchanged, in one shell.

- A `sh` block is run and must succeed.
- A `c`, `idl`, `toml` or `python` block is a file. Its name is the last text in backquotes before
  it.
- A `text` block is the output of the previous `sh` block. `...` stands for any text within a line,
  or for any lines if it is alone on a line.
"""

import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE_NAME = re.compile(r"`([\w.-]+\.(?:c|h|idl|toml|py))`")
FILES = {"c": (".c", ".h"), "idl": (".idl",), "toml": (".toml",), "python": (".py",)}
MARK = "--- block {number} ---"


@dataclass(frozen=True)
class Block:
    """One fenced block. `file`: the path to which a block of a file is written."""

    language: str
    body: str
    file: str = ""


def blocks_of(page: Path) -> list[Block]:
    """All blocks of a page in order. Raises ValueError if the purpose of a block is unknown."""
    text, begin, blocks = page.read_text(encoding="utf-8"), 0, []
    for fence in FENCE.finditer(text):
        language, body = fence.groups()
        if language in FILES:
            names = FILE_NAME.findall(text[begin : fence.start()])
            if not names or not names[-1].endswith(FILES[language]):
                raise ValueError(f"{page.name}: which file is this? {body}")
            blocks.append(Block(language, body, names[-1]))
        elif language in {"sh", "text"}:
            blocks.append(Block(language, body))
        else:
            raise ValueError(f"{page.name}: a block of language '{language}': {body}")
        begin = fence.end()
    return blocks


def script_of(blocks: list[Block]) -> str:
    """The shell script with all files and commands of the blocks, in order."""
    parts = ["set -e"]
    for number, block in enumerate(blocks):
        if block.file:
            parts.append(f"cat > {block.file} <<'END OF FILE'\n{block.body}END OF FILE")
        elif block.language == "sh":
            parts.append(f"echo '{MARK.format(number=number)}'\n{block.body}")
    return "\n".join(parts)


def follow(page: Path, tree: Path, home: Path) -> dict[int, str]:
    """Runs the blocks of a page in the folder `tree`; returns number of `sh` block -> its output.

    If a block fails, raises AssertionError with the output so far.
    """
    kept = {key: value for key, value in os.environ.items() if not key.startswith("SYMSIM_")}
    done = subprocess.run(
        ["bash", "-c", script_of(blocks_of(page))],
        cwd=tree,
        env={**kept, "HOME": str(home)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stdout
    parts = re.split(MARK.format(number=r"(\d+)") + "\n", done.stdout)
    assert parts[0] == ""
    return {int(number): printed for number, printed in zip(parts[1::2], parts[2::2], strict=True)}


def quotes(blocks: list[Block]) -> list[tuple[int, str]]:
    """Pairs of a `text` block and the number of the `sh` block that prints it."""
    found, last = [], -1
    for number, block in enumerate(blocks):
        if block.language == "sh":
            last = number
        elif block.language == "text":
            assert last >= 0, f"nothing prints this: {block.body}"
            found.append((last, block.body))
    return found


def is_printed(quoted: str, printed: str) -> bool:
    """Whether `quoted` equals `printed`, except for `...` and for blanks at the ends of lines.

    On a slow host a sweep prints how far its plan is, too; that is left out.
    """
    printed = re.sub(r"^planning: .*\n", "", printed, flags=re.MULTILINE)
    pattern = ""
    for line in quoted.rstrip("\n").split("\n"):
        pattern += r"(?:.*\n)*?" if line == "..." else _line_pattern(line)
    text = "".join(line.rstrip() + "\n" for line in printed.rstrip("\n").split("\n"))
    return re.fullmatch(pattern, text) is not None


def _line_pattern(line: str) -> str:
    return ".*".join(re.escape(part) for part in line.rstrip().split("...")) + r"\n"
