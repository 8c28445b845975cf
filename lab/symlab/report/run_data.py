# SPDX-License-Identifier: MIT
"""A run's folder, read for the report: what docs/outputs.md describes, and the log if there is one.

Raises UserError if the folder is not a run's, or a file of it cannot be read.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from symlab.errors import UserError

SCHEMA_VERSION = 1
PS_PER_US = 1_000_000


@dataclass(frozen=True)
class RunData:
    """`bus` and `locks`: bus.csv and locks.csv. `profile`: text of profile.folded, or None."""

    name: str
    summary: dict[str, Any]
    bus: pd.DataFrame
    locks: pd.DataFrame
    console: str = ""
    profile: str | None = None

    @property
    def config(self) -> dict[str, Any]:
        """Flat dotted keys."""
        return self.summary["config"]

    @property
    def processors(self) -> list[dict[str, Any]]:
        return self.summary["processors"]

    @property
    def end_ps(self) -> int:
        return ps(self.summary["simulated_us"])

    @property
    def lock_names(self) -> dict[int, str]:
        """Address -> name. Two locks of one name have the address behind it."""
        names = [lock["name"] for lock in self.summary["locks"]]
        return {
            int(lock["address"], 16): lock["name"]
            if names.count(lock["name"]) == 1
            else f"{lock['name']} at {lock['address']}"
            for lock in self.summary["locks"]
        }


def load_run(folder: Path) -> RunData:
    summary = _summary(folder)
    return RunData(
        name=folder.resolve().name,
        summary=summary,
        bus=_csv(folder / "bus.csv"),
        locks=_csv(folder / "locks.csv"),
        console=_text(folder / "console.txt") or "",
        profile=_text(folder / "profile.folded"),
    )


def ps(time_us: float) -> int:
    """Whole picoseconds of a time in a run's files, which have six decimals: exact below 2^53 ps,
    two and a half simulated hours."""
    return round(time_us * PS_PER_US)


def us(time_ps: float) -> float:
    """Microseconds."""
    return float(time_ps) / PS_PER_US


def ratio(part: float, whole: float) -> float:
    """With six decimals, as in a run's files; 0 of nothing is 0."""
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


def _csv(path: Path) -> pd.DataFrame:
    try:
        return pd.read_csv(path)
    except (OSError, ValueError) as error:
        raise UserError(f"{path}: cannot be read as CSV: {error}; run it again") from error


def _text(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return None
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error.strerror}") from error
