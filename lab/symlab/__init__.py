# SPDX-License-Identifier: MIT
"""The lab of symsim: runs, sweeps, tables, figures, verdicts on claims.

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
