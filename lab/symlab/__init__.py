# SPDX-License-Identifier: MIT
"""symlab, the lab of symsim: runs the simulator, tabulates and plots results, judges claims.

A claim is a checkable statement of a paper. Examples:

from symlab import load, run, sweep

frame = sweep("configs/figures/ALL/figure-4.1.toml", overrides={"machine.processors": [1, 20]})
frame = load("results/ALL/figure-4.1")
summary = run("configs/quickstart.toml", {"guest.args.lock": "read"})

The three functions are imported at their first use: `load` and `sweep` need pandas and matplotlib,
which take a second to import. Each help text of the command `symlab` imports this package.
"""

import importlib
from typing import TYPE_CHECKING, Any

from symlab.errors import ClusterError, LabError, OutputError, RunFailed, UserError

if TYPE_CHECKING:
    from symlab.loading import load
    from symlab.simulator import run
    from symlab.sweeping import sweep

MODULE_OF = {"load": "symlab.loading", "run": "symlab.simulator", "sweep": "symlab.sweeping"}

__all__ = [
    "ClusterError",
    "LabError",
    "OutputError",
    "RunFailed",
    "UserError",
    "load",
    "run",
    "sweep",
]


def __getattr__(name: str) -> Any:
    """Imports `load`, `run` or `sweep`. Python calls this for a name that the package lacks."""
    if name not in MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(MODULE_OF[name]), name)
