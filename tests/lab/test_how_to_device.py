# SPDX-License-Identifier: MIT
"""The example of docs/how-to/devices.md is the code that tests/devices/tally_test.cpp builds."""

import textwrap
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/how-to/devices.md").read_text()
END = "}  // namespace symsim\n"


def test_the_example_is_built_by_a_test():
    begin = PAGE.index("    // SPDX")
    example = textwrap.dedent(PAGE[begin : PAGE.index(END, begin)]) + END
    assert example == (ROOT / "tests/devices/tally.h").read_text()
