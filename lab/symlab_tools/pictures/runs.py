# SPDX-License-Identifier: MIT
"""The runs whose traces are drawn."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd
from symlab.reports.run_data import RunData, load_run
from symlab.runs.running import run

QUICKSTART = "configs/quickstart.toml"
MODEL_A = "configs/machines/symmetry-a.toml"


def traced(folder: Path, config: str, settings: Mapping[str, Any]) -> RunData:
    """Runs symsim's own `config` into `folder`, with a transaction log. Raises RunFailed, or
    UserError if there is no simulator."""
    run(config, settings={**settings, "observe.transactions": True}, out=folder)
    return load_run(folder)


def uses_of(bus: pd.DataFrame, begin_ps: int, unit_ps: int) -> pd.DataFrame:
    """The uses of the bus: processor, kind, reply, begin, length; times after `begin_ps`, in units
    of `unit_ps`. `bus`: of the log."""
    columns = bus[["processor", "kind", "reply"]].astype({"processor": int, "kind": str})
    begin, length = (bus["grant_ps"] - begin_ps) / unit_ps, bus["duration_ps"] / unit_ps
    return columns.assign(begin=begin, length=length)
