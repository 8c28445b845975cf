# SPDX-License-Identifier: MIT
"""symlab, the lab of symsim: runs the simulator, tabulates and plots results, judges claims.

A claim is a checkable statement of a paper. Examples:

from symlab import cc, curve, load, run, sweep

frame = sweep("papers/ALL/figures/figure-4.1.toml", overrides={"machine.processors": [1, 20]})
frame = load("results/ALL/figure-4.1")
one = run("configs/quickstart.toml", {"guest.args.lock": "read"})
print(one, one["bus"]["utilisation"], one.locks)
cc("mine.c", output="mine.elf", lock="mcs")
frame = curve("counter", {"lock": ["mine.h", "mcs"]}, processors=["1..20"])

All of these are imported at their first use: `load` and `sweep` need pandas and matplotlib,
which take a second to import. Each help text of the command `symlab` imports this package.
"""

import importlib
from typing import TYPE_CHECKING, Any

from symlab.errors import ClusterError, LabError, OutputError, RunFailed, UserError

if TYPE_CHECKING:
    from symlab.guest.compiling import cc
    from symlab.results.loading import load
    from symlab.runs.curve import curve
    from symlab.runs.one_run import Run, run
    from symlab.runs.sweeping import sweep

MODULE_OF = {
    "cc": "symlab.guest.compiling",
    "curve": "symlab.runs.curve",
    "load": "symlab.results.loading",
    "Run": "symlab.runs.one_run",
    "run": "symlab.runs.one_run",
    "sweep": "symlab.runs.sweeping",
}

__all__ = [
    "ClusterError",
    "LabError",
    "OutputError",
    "Run",
    "RunFailed",
    "UserError",
    "cc",
    "curve",
    "load",
    "run",
    "sweep",
]


def __dir__() -> list[str]:
    """The public names, also those that are not imported yet: what Tab offers."""
    return __all__


def __getattr__(name: str) -> Any:
    """Imports a name of MODULE_OF. Python calls this for a name that the package lacks."""
    if name not in MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(MODULE_OF[name]), name)
