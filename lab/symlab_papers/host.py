# SPDX-License-Identifier: MIT
"""The host of a measurement: facts about it, and its speed, so that other hosts can be compared.

`kernel_wake` is the host's time to wake a process of SystemC (tests/bench/kernel_bench.cpp). None
of symsim's own code is in it, so it changes only with the host. A normalised slowdown is what a
slowdown would be on the reference host, if the host's time for a run is proportional to it.
"""

import json
import os
import platform
import re
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from symlab.errors import LabError, UserError
from symlab.git import git
from symlab.places import ROOT

# kernel_wake of the host of the prototype (docs/dev/performance-history.md, "Hosts and bounds").
REFERENCE_WAKE_NS = 47.0
MIN_TIME_S = 0.05  # of a measurement; a guess: some hundred rounds of 3,000 wakes
PROGRAM = Path("tests/bench_parts")  # in the folder of a build
NS_PER_S = 1e9


def host_facts(compiler: str) -> dict[str, Any]:
    """Keys cpu, cores, kernel, compiler, commit, changed_since_commit and date (UTC). `compiler`:
    the one that built the simulator. Unknown facts are None."""
    changes = git("status", "--porcelain", "--untracked-files=no")
    try:
        cpus = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        cpus = ""
    model = re.search(r"^model name[^:\n]*:(.*)", cpus, re.MULTILINE)
    return {
        "cpu": model[1].strip() if model else None,
        "cores": len(os.sched_getaffinity(0)),
        "kernel": f"{platform.system()} {platform.release()}",
        "compiler": compiler,
        "commit": git("rev-parse", "HEAD"),
        "changed_since_commit": None if changes is None else changes != "",
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
    }


def normalised(slowdown: float, wake_ns: float) -> float:
    """The slowdown on the reference host, if measured where `kernel_wake` is `wake_ns`."""
    return slowdown * REFERENCE_WAKE_NS / wake_ns


def find_parts(simulator: Path) -> Path:
    """The program of the parts' benchmarks: beside this simulator, or else in build/release. Raises
    UserError if it is not built."""
    places = [simulator.parent / PROGRAM, ROOT / "build" / "release" / PROGRAM]
    for path in places:
        if path.is_file():
            return path
    raise UserError(
        f"bench: {places[-1]} is not built; its kernel_wake measures the speed of the host; "
        "build it with `make build-tests`"
    )


def kernel_wake_ns(parts: Path) -> float:
    """Measures `kernel_wake` with this program: host CPU time in ns. Raises LabError."""
    command = [str(parts), "--benchmark_filter=^kernel_wake$", "--benchmark_format=json"]
    command.append(f"--benchmark_min_time={MIN_TIME_S}")
    done = subprocess.run(command, capture_output=True, text=True)
    try:
        (found,) = json.loads(done.stdout)["benchmarks"]
        return NS_PER_S / float(found["items_per_second"])
    except (ValueError, KeyError, ZeroDivisionError) as error:
        said = done.stderr.strip().splitlines()[-1:] or [f"exit code {done.returncode}"]
        raise LabError(f"{parts}: measured no kernel_wake: {said[0]}") from error
