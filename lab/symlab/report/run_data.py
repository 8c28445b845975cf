# SPDX-License-Identifier: MIT
"""Reads a run's folder for the report: the files of docs/reference/outputs.md, and the log.

The functions raise UserError if the folder is not that of a run, or if a file cannot be read.
"""

import json
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pandas as pd

from symlab.errors import UserError
from symlab.report.episodes import Episodes, episodes
from symlab.runs import transactions
from symlab.runs.table import read_csv
from symlab.runs.transaction_log import LOG

SCHEMA_VERSION = 1
PS_PER_US = 1_000_000


@dataclass(frozen=True)
class RunData:
    """The data of one run.

    `summary`: summary.json. `bus`, `locks`: bus.csv and locks.csv. `console`: output of the guest.
    `profile`: text of profile.folded, or None. `log`: tables of the transaction log
    (docs/reference/transactions.md), or None.
    """

    name: str
    summary: dict[str, Any]
    bus: pd.DataFrame
    locks: pd.DataFrame
    console: str = ""
    profile: str | None = None
    log: transactions.Frames | None = None

    @property
    def config(self) -> dict[str, Any]:
        return self.summary["config"]

    @property
    def processors(self) -> list[dict[str, Any]]:
        return self.summary["processors"]

    @property
    def end_ps(self) -> int:
        return ps(self.summary["simulated_us"])

    @property
    def log_span_ps(self) -> tuple[int, int]:
        """Begin and end, in ps, of the time that the log covers.

        A window (observe.window) or a limit on the log's size may shorten that time.
        """
        begin_us, end_us = (self.config.get(f"observe.window.{k}", 0) for k in ("from_us", "to_us"))
        until_us = (self.summary.get("transactions") or {}).get("until_us")
        ends = [self.end_ps, *(ps(end) for end in (end_us, until_us) if end)]
        return min(ps(begin_us), self.end_ps), min(ends)

    @property
    def log_note(self) -> str:
        """A sentence on the time that the log covers; empty if that is the whole run."""
        begin, end = self.log_span_ps
        if (begin, end) == (0, self.end_ps):
            return ""
        return f" The log shows the run from {us(begin):,} to {us(end):,} us only."

    @cached_property
    def episodes(self) -> Episodes:
        """Waits and holds of all locks. The run must have a log."""
        assert self.log is not None
        return episodes(self.log.marks)

    @property
    def lock_names(self) -> dict[int, str]:
        """Address -> name of the lock; if several locks share a name, the address is appended."""
        named = [(lock["name"], lock["address"]) for lock in self.summary["locks"]]
        count = Counter(name for name, _ in named)
        return {int(at, 16): name if count[name] == 1 else f"{name} at {at}" for name, at in named}


def load_run(folder: Path) -> RunData:
    summary = _summary(folder)
    return RunData(
        name=folder.resolve().name,
        summary=summary,
        bus=read_csv(folder / "bus.csv", "run it again"),
        locks=read_csv(folder / "locks.csv", "run it again"),
        console=_text(folder / "console.txt") or "",
        profile=_text(folder / "profile.folded"),
        log=transactions.load(folder) if (folder / LOG).is_file() else None,
    )


def ps(time_us: float) -> int:
    """Picoseconds of a time in us from a run's files, which have six decimals.

    Exact below 2^53 ps, two and a half simulated hours.
    """
    return round(time_us * PS_PER_US)


def us(time_ps: float) -> float:
    """Microseconds of a time in picoseconds."""
    return float(time_ps) / PS_PER_US


def ratio(part: float, whole: float) -> float:
    """part / whole with six decimals, as in a run's files; 0 if `whole` is 0."""
    return round(part / whole, 6) if whole else 0.0


def _summary(folder: Path) -> dict[str, Any]:
    path = folder / "summary.json"
    try:
        summary = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UserError(
            f"{path}: cannot be read: {error.strerror}; give the folder of a run or of a sweep"
        ) from error
    except ValueError as error:
        raise UserError(f"{path}: is no JSON: {error}; run it again") from error
    version = summary.get("schema_version") if isinstance(summary, dict) else None
    if version != SCHEMA_VERSION:
        raise UserError(
            f"{path}: schema version {version}, and this symlab reads {SCHEMA_VERSION}; "
            "make the run again with the simulator beside it"
        )
    return summary


def _text(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return None
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error.strerror}") from error
