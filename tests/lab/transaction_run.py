# SPDX-License-Identifier: MIT
"""A real run with a transaction log, for the tests of the tables made from it."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
from symlab import run
from symlab.results.transactions import convert

ROOT = Path(__file__).resolve().parents[2]
BINARY = os.environ.get("SYMSIM_BINARY", "")

Row = dict[str, Any]
SETTINGS = {
    "observe.transactions": True,
    "observe.interval_us": 1000,
    "machine.processors": 4,
    "guest.args.increments": 300,
}


@dataclass(frozen=True)
class LoggedRun:
    """The run's folder, its summary.json, and the rows of the three tables as dicts."""

    folder: Path
    summary: Mapping[str, Any]
    bus: list[Row]
    marks: list[Row]
    states: list[Row]


def logged_run(folder: Path, **settings: Any) -> LoggedRun:
    config = ROOT / "configs" / "quickstart.toml"
    summary = run(config, settings={**SETTINGS, **settings}, out=folder, simulator=BINARY).summary
    rows = [pq.read_table(path).to_pylist() for path in convert(folder)]
    return LoggedRun(folder, summary, *rows)


def picoseconds(us: float) -> int:
    """A time in us of summary.json as picoseconds; the conversion is exact."""
    return round(us * 1_000_000)
