# SPDX-License-Identifier: MIT
"""The runs whose traces are drawn."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from symlab.report.episodes import Episodes, episodes
from symlab.runs.one_run import run
from symlab.runs.simulator import config_of
from symlab.runs.transactions import Frames, load

QUICKSTART = "configs/quickstart.toml"
MODEL_A = "configs/machines/symmetry-a.toml"


@dataclass(frozen=True)
class Traced:
    """A run with its transaction log. `config`: dotted key -> value."""

    config: Mapping[str, Any]
    log: Frames

    @property
    def episodes(self) -> Episodes:
        return episodes(self.log.marks)

    def uses(self, begin_ps: int, unit_ps: int) -> pd.DataFrame:
        """The uses of the bus: processor, kind, reply, begin, length; times after `begin_ps`, in
        units of `unit_ps`."""
        bus = self.log.bus
        columns = bus[["processor", "kind", "reply"]].astype({"processor": int, "kind": str})
        begin, length = (bus["grant_ps"] - begin_ps) / unit_ps, bus["duration_ps"] / unit_ps
        return columns.assign(begin=begin, length=length)


def traced(folder: Path, config: str, settings: Mapping[str, Any]) -> Traced:
    """Runs symsim's own `config` into `folder`, with a transaction log.

    Raises RunFailed, or UserError if there is no simulator.
    """
    run(config, {**settings, "observe.transactions": True}, folder)
    return Traced(config_of(folder), load(folder))
