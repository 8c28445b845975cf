# SPDX-License-Identifier: MIT
"""The lab of symsim: runs, sweeps, tables, figures, verdicts on claims.

from symlab import run, sweep

frame = sweep("configs/figures/all-4.1.toml", overrides={"machine.processors": [1, 20]})
summary = run("configs/quickstart.toml", {"guest.args.lock": "read"})
"""

from symlab.errors import ClusterError, LabError, OutputError, RunFailed, UserError
from symlab.simulator import run
from symlab.sweeping import sweep

__all__ = ["ClusterError", "LabError", "OutputError", "RunFailed", "UserError", "run", "sweep"]
