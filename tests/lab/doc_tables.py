# SPDX-License-Identifier: MIT
"""Reads tables of the documents, for tests that compare them with what the code writes."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"


def rows_behind(document: str, marker: str) -> list[list[str]]:
    """The cells of the first table after the line that begins with `marker`, without its head."""
    lines = (DOCS / document).read_text(encoding="utf-8").splitlines()
    start = next(n for n, line in enumerate(lines) if line.startswith(marker))
    first = next(n for n in range(start, len(lines)) if lines[n].startswith("|"))
    rows = []
    for line in lines[first + 2 :]:
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]])
    return rows


def names_behind(document: str, marker: str) -> list[str]:
    """The names in backticks in the first column of that table, in order."""
    return [
        name for row in rows_behind(document, marker) for name in re.findall(r"`(.*?)`", row[0])
    ]
