# SPDX-License-Identifier: MIT
"""What a person must know of a sweep besides its numbers: why runs failed, which curves lack runs
that failed, and which axes change nothing."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from symlab.plot.repeats import curve_names

PROGRAM = "symsim: "  # how the messages of the simulator begin
WARNING = ("warning", "note")


def cause(status: str, message: str, folder: Path | None) -> str:
    """What the simulator said first about the failure, else the last line of the guest's console;
    "" if neither said anything. The lines after the first are advice. `message`: the run's standard
    error. `folder`: of the run."""
    lines = [line.strip().removeprefix(PROGRAM) for line in message.splitlines() if line.strip()]
    about = [line for line in lines if line.startswith(f"{status}: ")]
    said = about or [line for line in lines if not line.startswith(WARNING)] or lines
    if said:
        return said[0].removeprefix(f"{status}: ")
    last = _last_line(folder / "console.txt") if folder else ""
    return f"the guest printed last: {last}" if last else ""


def _last_line(console: Path) -> str:
    try:
        text = console.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    lines = text.strip().splitlines()
    return lines[-1].strip() if lines else ""


@dataclass(frozen=True)
class FailedSeries:
    """A curve of which runs failed. `name`: as in the table of curves, `mcs`. `statuses`: the kinds
    of failure, such as deadlock. `failed`, `runs`: how many of how many."""

    name: str
    statuses: tuple[str, ...]
    failed: int
    runs: int

    @property
    def vanished(self) -> bool:
        """Whether the curve has no point at all."""
        return self.failed == self.runs

    @property
    def label(self) -> str:
        """For a legend: `mcs (failed: deadlock)`, or `mcs (2 of 7 failed: deadlock)`."""
        many = "" if self.vanished else f"{self.failed} of {self.runs} "
        return f"{self.name} ({many}failed: {', '.join(self.statuses)})"


def failed_series(runs: pd.DataFrame, by: Sequence[str]) -> list[FailedSeries]:
    """The curves with failed runs, in the order of the table. `runs`: a row for each run, with the
    column `status`. `by`: the columns that tell curves apart."""
    status = runs["status"].astype(str)
    found = []
    names = pd.Series(curve_names(runs, by), status.index, dtype=object)
    for name, rows in status.groupby(names, sort=False):
        failed = rows[rows != "finished"]
        if len(failed):
            kinds = tuple(dict.fromkeys(failed))
            found.append(FailedSeries(str(name), kinds, len(failed), len(rows)))
    return found


def axes_without_effect(runs: pd.DataFrame, keys: Sequence[str]) -> list[str]:
    """The swept columns on which no number of a finished run depends: perhaps their names are
    misspelt, and the guest does not use them. `keys`: all swept columns."""
    done = runs[runs["status"] == "finished"]
    measured = [c for c in done if c not in keys and c != "status" and done[c].nunique() > 0]
    found = []
    for key in keys:
        others = [other for other in keys if other != key]
        groups = done.groupby(others, dropna=False).ngroup() if others else pd.Series(0, done.index)
        compared = done.groupby(groups)[key].transform("nunique") > 1
        if not compared.any():
            continue
        values = done.loc[compared, measured].groupby(groups[compared]).nunique()
        if (values <= 1).all(axis=None):
            found.append(key)
    return found
