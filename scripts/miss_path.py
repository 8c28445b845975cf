#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Lists the files of sim/ in which a load that misses executes more than a load that hits.

    scripts/miss_path.py build/lines/symsim [fast|reference]

The simulator must be built without inlining and with line numbers, so that callgrind sees each
function in its own file (docs/dev/build-and-test.md has the command). The guest memory_latency
loads from memory at a stride: 6 loops have as many iterations as there are loads, and 2 of them
load lines that no cache has. From stride 4 to 8 only hits go away, from 16 to 32 only misses. The
differences between runs are what one miss executes beyond a hit; what the start takes cancels out.
"""

import re
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGES = 8
LOADS = {stride: PAGES * (4096 // stride - 1) for stride in (4, 8, 16, 32)}  # in each loop
LOOPS, MISSING = 6, 2


def executed(profile: str) -> Counter[str]:
    """Host instructions in each file of sim/, without those of called functions."""
    names: dict[str, str] = {}
    counts: Counter[str] = Counter()
    function = file = ""
    called = False  # the next line is the cost of a call
    for line in profile.splitlines():
        if place := re.match(r"(c?f[lie])=\((\d+)\)(?: (.*))?$", line):
            kind, number, name = place.groups()
            names.setdefault(number, name or "")
            if kind == "fl":
                function = names[number]
            if kind in ("fl", "fi", "fe"):  # a file that is not known is that of the function
                file = names[number] if "/" in names[number] else function
        elif line.startswith("calls="):
            called = True
        elif cost := re.match(r"[+\-*\d]\S* (\d+)$", line):
            if not called and "/sim/" in file:
                counts[file[file.rindex("/sim/") + 1 :]] += int(cost[1])
            called = False
    return counts


def run(simulator: Path, engine: str, stride: int, folder: Path) -> Counter[str]:
    config = folder / f"{stride}.toml"
    config.write_text(
        f'base = "{ROOT}/configs/machines/symmetry-a.toml"\n[machine]\nprocessors = 2\n'
        f'[run]\nengine = "{engine}"\n[guest]\nimage = "memory_latency"\n[guest.args]\n'
        f"pages = {PAGES}\nstride = {stride}\n",
        encoding="utf-8",
    )
    profile = folder / f"{stride}.callgrind"
    subprocess.run(
        ["valgrind", "--tool=callgrind", f"--callgrind-out-file={profile}", simulator, config,
         "--quiet", "--out", folder / str(stride)],
        cwd=ROOT / "build" / "release" / "guest", capture_output=True, check=True,
    )  # fmt: skip
    return executed(profile.read_text(encoding="utf-8"))


def main() -> None:
    if not 2 <= len(sys.argv) <= 3 or sys.argv[2:] not in ([], ["fast"], ["reference"]):
        sys.exit(__doc__)
    simulator, engine = Path(sys.argv[1]).resolve(), (sys.argv[2:] or ["fast"])[0]
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:
        runs = pool.map(lambda stride: run(simulator, engine, stride, Path(folder)), LOADS)
        at = dict(zip(LOADS, runs, strict=True))
    path = {}
    for file in at[16]:
        hit = (at[4][file] - at[8][file]) / (LOOPS * (LOADS[4] - LOADS[8]))
        both = (at[16][file] - at[32][file]) / (LOADS[16] - LOADS[32])
        path[file] = (both - LOOPS * hit) / MISSING
    for file, more in sorted(path.items(), key=lambda row: -row[1]):
        if more >= 1:
            print(f"{more:9.1f} {file}")
    print(f"{sum(more >= 1 for more in path.values())} files")


if __name__ == "__main__":
    main()
