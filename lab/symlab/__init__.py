# SPDX-License-Identifier: MIT
"""symlab, the lab of symsim: runs the simulator, tabulates and plots results, judges claims.

A claim is a checkable statement of a paper. Examples:

from symlab import load, run, sweep

frame = sweep("configs/figures/ALL/figure-4.1.toml", overrides={"machine.processors": [1, 20]})
frame = load("results/ALL/figure-4.1")
summary = run("configs/quickstart.toml", {"guest.args.lock": "read"})
"""

from symlab.errors import ClusterError, LabError, OutputError, RunFailed, UserError
from symlab.loading import load
from symlab.simulator import run
from symlab.sweeping import sweep

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
