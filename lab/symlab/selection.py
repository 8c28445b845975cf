# SPDX-License-Identifier: MIT
"""What the options that no source settles do to five ordinal claims (docs/calibration.md).

The default is chosen on these: ALL-45, 47, 52, 53 and 54, and on nothing else. `symlab select`
runs Figures 4.1 and 4.3 at reduced size for every combination and writes `selection.csv`, a row a
combination: of each claim whether it holds, and its value.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from symlab.figures import all_4_1, all_4_3
from symlab.figures.selection import OPTIONS as SWEPT
from symlab.store import write_atomically
from symlab.sweeping import sweep
from symlab.table import csv_bytes

OPTIONS = SWEPT[:-1]  # the lock is judged by its delays
CLAIMS = {
    "counter": (all_4_1.series, (all_4_1.all_45, all_4_1.all_47)),
    "arrival": (all_4_3.series, (all_4_3.all_52, all_4_3.all_53, all_4_3.all_54)),
}
BACKOFF = "backoff-"  # then LEAST-GROWTH-MOST


def judged(runs: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """A row a combination of OPTIONS and `delays`; most claims that hold first.

    `runs`: of each workload of CLAIMS the table of its sweep.
    """
    rows = []
    locks = runs["counter"]["lock"].unique()
    for delays in (lock.removeprefix(BACKOFF) for lock in locks if lock.startswith(BACKOFF)):
        for options, _ in runs["counter"].groupby(OPTIONS, sort=False):
            row: dict[str, Any] = {"delays": delays, **dict(zip(OPTIONS, options, strict=True))}
            for workload, (series, claims) in CLAIMS.items():
                data = series(_chosen(runs[workload], options, delays))
                for verdict in (claim(data) for claim in claims):
                    row[verdict.id] = verdict.state
                    row[f"{verdict.id}_value"] = verdict.value
            states = [
                row[column] for column in row if column.startswith("ALL") and "_" not in column
            ]
            rows.append({**row, "holding": states.count("holds")})
    return pd.DataFrame(rows).sort_values("holding", ascending=False, kind="stable")


def _chosen(runs: pd.DataFrame, options: tuple[Any, ...], delays: str) -> pd.DataFrame:
    """The runs with these options, those of this backoff under its plain name."""
    wanted = (runs[OPTIONS] == list(options)).all(axis=1)
    lock = runs["lock"].replace({BACKOFF + delays: "backoff"})
    return runs.assign(lock=lock)[wanted & ~lock.str.startswith(BACKOFF)]


def select(folder: Path, jobs: int | None, settings: Mapping[str, Any]) -> Path:
    """Runs both sweeps below `folder`, keeping what is there. Raises LabError."""
    runs = {
        workload: sweep(f"configs/selection/{workload}.toml", folder / workload, jobs, settings)
        for workload in CLAIMS
    }
    path = folder / "selection.csv"
    write_atomically(path, csv_bytes(judged(runs)))
    return path
