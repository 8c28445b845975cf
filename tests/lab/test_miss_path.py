# SPDX-License-Identifier: MIT
"""scripts/miss_path.py reads what callgrind writes."""

import runpy
from pathlib import Path

executed = runpy.run_path(str(Path(__file__).parents[2] / "scripts" / "miss_path.py"))["executed"]

PROFILE = """\
fl=(1) /src/sim/bus/bus.cpp
fn=(1) advance
10 5
fi=(2) /src/sim/base/time.h
20 7
fe=(1)
+3 11
cfi=(3) /src/sim/cache/cache_port.cpp
cfn=(4) replied
calls=2 30
* 1000
fi=(5) ???
12 2

fl=(3)
fn=(4)
30 6
fl=(6) /usr/include/c++/12/array
fn=(7) fill
40 99
"""


def test_each_file_has_its_own_instructions_without_those_of_called_functions() -> None:
    assert executed(PROFILE) == {
        "sim/bus/bus.cpp": 5 + 11 + 2,  # a file that callgrind does not know is the function's
        "sim/base/time.h": 7,
        "sim/cache/cache_port.cpp": 6,
    }
