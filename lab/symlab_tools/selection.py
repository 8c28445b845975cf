# SPDX-License-Identifier: MIT
"""How the options that no source settles affect five claims about orderings.

The default options are selected by ALL-45, 47, 52, 53 and 54 only
(docs/how-it-works/calibration.md). `symlab select` runs Figures 4.1 and 4.3 at reduced size for
every combination of the options. It writes
`selection.csv`: one row per combination, with verdict and value of each claim.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd
from symlab.files import write_atomically
from symlab.plot.figure import Verdict, find_figure
from symlab.results.csv_file import csv_bytes
from symlab.runs.published import refuse_changed_tree
from symlab.runs.sweeping import sweep
from symlab_papers.figures.selection import OPTIONS as SWEPT

OPTIONS = SWEPT[:-1]  # without the lock, which `judged` varies by its backoff delays
# By workload.
FIGURES = {"counter": find_figure("all-4.1", []), "arrival": find_figure("all-4.3", [])}
CLAIMS = ("ALL-45", "ALL-47", "ALL-52", "ALL-53", "ALL-54")
BACKOFF = "backoff-"  # a lock's name is backoff-LEAST-MOST


def judged(runs: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """One row per combination of OPTIONS and backoff delays; the first row is the selected one.

    The rule: most claims hold; of equal choices, the one with the largest sum of margins.

    `runs`: for each workload of FIGURES the table of its sweep. Columns: delays, OPTIONS, verdict
    and value of each claim; `holding`, the number of claims that hold; `margin`, the sum of their
    margins (negative if a claim fails), each as a part of the claim's bound.
    """
    rows = []
    locks = runs["counter"]["lock"].unique()
    for delays in (lock.removeprefix(BACKOFF) for lock in locks if lock.startswith(BACKOFF)):
        for options, _ in runs["counter"].groupby(OPTIONS, sort=False):
            row: dict[str, Any] = {"delays": delays, **dict(zip(OPTIONS, options, strict=True))}
            holding, margin = 0, 0.0
            for workload, figure in FIGURES.items():
                verdicts = figure.judge(_chosen(runs[workload], options, delays))
                for verdict in (one for one in verdicts if one.id in CLAIMS):
                    row |= {verdict.id: verdict.state, f"{verdict.id}_value": verdict.value}
                    holding += verdict.state == "holds"
                    margin += _relative_margin(verdict)
            rows.append({**row, "holding": holding, "margin": round(margin, 6)})
    return pd.DataFrame(rows).sort_values(["holding", "margin"], ascending=False, kind="stable")


def _relative_margin(verdict: Verdict) -> float:
    """The margin of a verdict as a part of its bound; -1 if nothing could be compared."""
    if verdict.margin is None or not verdict.bound:
        return -1.0
    return verdict.margin / abs(verdict.bound)


def _chosen(runs: pd.DataFrame, options: tuple[Any, ...], delays: str) -> pd.DataFrame:
    """The runs with these options. Backoff with these delays is renamed to "backoff"; runs of
    backoff with other delays are dropped."""
    wanted = (runs[OPTIONS] == list(options)).all(axis=1)
    lock = runs["lock"].replace({BACKOFF + delays: "backoff"})
    return runs.assign(lock=lock)[wanted & ~lock.str.startswith(BACKOFF)]


def select(folder: Path, jobs: int | None, settings: Mapping[str, Any]) -> Path:
    """Runs both sweeps below `folder`, where finished runs are kept, and writes selection.csv.
    `settings`: overrides as for `sweep`. Returns the path of the CSV. Raises LabError."""
    path = folder / "selection.csv"
    refuse_changed_tree(path)
    runs = {
        workload: sweep(
            f"configs/selection/{workload}.toml",
            settings=settings,
            out=folder / workload,
            jobs=jobs,
        )
        for workload in FIGURES
    }
    write_atomically(path, csv_bytes(judged(runs)))
    return path
