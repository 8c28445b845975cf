# SPDX-License-Identifier: MIT
"""symlab, the lab of symsim: runs the simulator, tabulates and plots results, judges claims.

The functions have the names of the commands. Examples:

    from symlab import cc, check, compare, load, report, run, sweep

    one = run("configs/quickstart.toml", settings={"guest.args.lock": "mcs"}, processors=8)
    print(one, one["bus"]["utilisation"], one.locks)
    frame = compare("counter", lock=["mine.h", "mcs"], processors="1..20")
    frame = sweep("papers/ALL/figures/figure-4.1.toml", settings={"machine.processors": [1, 20]})
    frame = load("results/ALL/figure-4.1")
    report("results/counter-mine")
    cc("mine.c", output="mine.elf", lock="mcs")

All of these are imported at their first use: some need pandas and matplotlib, which take a second
to import. Each help text of the command `symlab` imports this package.
"""

import importlib
from typing import TYPE_CHECKING, Any

from symlab.errors import ClusterError, LabError, OutputError, RunFailed, UserError

if TYPE_CHECKING:
    from symlab.checks.check import Checked, check
    from symlab.guest.compiling import cc
    from symlab.reports import report
    from symlab.results.loading import load
    from symlab.runs.compare import compare
    from symlab.runs.one_run import Run
    from symlab.runs.running import run
    from symlab.runs.sweeping import sweep

MODULE_OF = {
    "Checked": "symlab.checks.check",
    "Run": "symlab.runs.one_run",
    "cc": "symlab.guest.compiling",
    "check": "symlab.checks.check",
    "compare": "symlab.runs.compare",
    "load": "symlab.results.loading",
    "report": "symlab.reports",
    "run": "symlab.runs.running",
    "sweep": "symlab.runs.sweeping",
}

__all__ = [
    "Checked", "ClusterError", "LabError", "OutputError", "Run", "RunFailed", "UserError", "cc",
    "check", "compare", "load", "report", "run", "sweep",
]  # fmt: skip


def __dir__() -> list[str]:
    """The public names, also those that are not imported yet: what Tab offers."""
    return __all__


def __getattr__(name: str) -> Any:
    """Imports a name of MODULE_OF. Python calls this for a name that the package lacks."""
    if name not in MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(MODULE_OF[name]), name)
