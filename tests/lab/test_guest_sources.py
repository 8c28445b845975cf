# SPDX-License-Identifier: MIT
"""Rules for the C files of guest/ and tests/guest/ that the compiler does not check."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCES = sorted(
    file for folder in ("guest", "tests/guest") for file in (ROOT / folder).rglob("*.[ch]")
)
# A variable, not a member: at the start of a line, or static.
ALIGNED_VARIABLE = re.compile(r"^(?:\s*static )?LINE_ALIGNED (?!struct ).*", re.MULTILINE)


def test_a_variable_with_a_line_of_its_own_fills_it() -> None:
    """Alignment alone does not: the next variable would share the line."""
    found = [
        f"{file.relative_to(ROOT)}: {line}"
        for file in SOURCES
        for line in ALIGNED_VARIABLE.findall(file.read_text(encoding="utf-8"))
        if not line.startswith("    LINE_ALIGNED")
    ]
    assert not found, "use `static struct { LINE_ALIGNED ...; } name;`"
