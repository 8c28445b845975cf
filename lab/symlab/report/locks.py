# SPDX-License-Identifier: MIT
"""The sections on locks (acquisitions, waits, holds) and on fairness among the processors."""

from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from symlab.report import distributions
from symlab.report.colours import numbered
from symlab.report.distributions import cumulative
from symlab.report.run_data import RunData, ps, ratio, us
from symlab.report.section import Cell, Chart, Section, Table, figure, processor_axis

COLUMNS = (
    "processors", "attempts", "acquisitions", "releases", "wait_us", "mean_wait_us", "max_wait_us",
    "hold_us", "mean_hold_us", "max_hold_us", "open_wait_us", "open_hold_us",
)  # fmt: skip


def locks(run: RunData) -> Section:
    explanation = (
        "Wait is from attempt to acquisition, hold from acquisition to the start of the "
        "instruction that releases."
    )
    if not run.summary["locks"]:
        return Section("locks", "Locks", explanation, missing="The guest took no lock.")
    names = run.lock_names
    rows: list[list[Cell]] = [
        [names[int(lock["address"], 16)], lock["address"], *(lock[c] for c in COLUMNS)]
        for lock in run.summary["locks"]
    ]
    columns = ["lock", "address", *COLUMNS]
    tables = [Table("lock-table", "Each lock", columns, rows, ("lock",))]
    if run.log is None:
        missing = (
            "The distributions are in the log of a run with observe.transactions = true; without "
            "it, there are means and extremes."
        )
        return Section("locks", "Locks", explanation, tables=tables, missing=missing)
    waits, holds = wait_times(run), hold_times(run)
    views = {"waits": cumulative(waits, "wait (us)"), "holds": cumulative(holds, "hold (us)")}
    tables += [
        distributions.table("wait-table", "Waits of each lock", waits),
        distributions.table("hold-table", "Holds of each lock", holds),
    ]
    charts = [Chart("lock-times", "How long locks were waited for and held", views)]
    return Section("locks", "Locks", explanation + run.log_note, charts, tables)


def wait_times(run: RunData) -> dict[str, NDArray[np.int64]]:
    """Name of the lock -> durations of its completed waits, in ps."""
    waits = run.episodes.ended_waits
    return run.by_lock(waits["lock"], waits["acquired_ps"] - waits["attempt_ps"])


def hold_times(run: RunData) -> dict[str, NDArray[np.int64]]:
    """Name of the lock -> durations of its completed holds, in ps."""
    holds = run.episodes.holds
    return run.by_lock(holds["lock"], holds["released_ps"] - holds["acquired_ps"])


def fairness(run: RunData) -> Section | None:
    """The section on fairness: acquisitions and waits of each processor, and Jain's index.

    Source of the index: R. Jain, D. Chiu, W. Hawe, A quantitative measure of fairness, DEC-TR-301,
    1984.
    """
    if not run.summary["locks"]:
        return None
    views = {
        "acquisitions": _bars(run, "acquisitions", "acquisitions"),
        "longest wait": _bars(run, "max_wait_us", "longest wait (us)"),
        "mean wait": _bars(run, "mean_wait_us", "wait per acquisition (us)"),
    }
    return Section(
        "fairness",
        "Fairness",
        "Jain's index of the acquisitions of the processors that tried: 1 if all have the same "
        "number, 1/n if one of n has all.",
        [Chart("fairness-chart", "Each processor's share", views)],
        [_shares(run), _by_processor(run)],
    )


def jain(values: list[int]) -> float:
    """Jain's index of fairness, (sum x)^2 / (n sum x^2), with six decimals; 1 if all are 0."""
    squares = sum(value * value for value in values)
    return ratio(sum(values) ** 2, len(values) * squares) if squares else 1.0


def _groups(run: RunData) -> list[tuple[str, pd.DataFrame]]:
    """(name, rows of locks.csv) for each lock in order of address, with column mean_wait_us."""
    rows = run.locks.copy()
    pairs = zip(rows["wait_us"], rows["acquisitions"], strict=True)
    rows["mean_wait_us"] = [us(round(ps(w) / n)) if n else 0.0 for w, n in pairs]
    rows["at"] = [int(address, 16) for address in rows["address"]]
    names = run.lock_names
    groups: Any = rows.groupby("at", sort=True)
    return [(names[int(at)], group) for at, group in groups]


def _bars(run: RunData, column: str, title: str) -> go.Figure:
    traces = [
        go.Bar(
            name=name,
            x=group["processor"].tolist(),
            y=group[column].tolist(),
            marker={"color": numbered(number)},
            meta={"about": {"lock": name}, "points": "processor"},
            customdata=[str(processor) for processor in group["processor"]],
        )
        for number, (name, group) in enumerate(_groups(run))
    ]
    axis = processor_axis(len(run.processors))
    return figure(traces, "processor", title, xaxis=axis, barmode="group")


def _shares(run: RunData) -> Table:
    rows: list[list[Cell]] = []
    for name, group in _groups(run):
        counts = group["acquisitions"].tolist()
        at: Any = group["max_wait_us"].idxmax()
        longest = group.loc[at]
        row = [name, len(group), jain(counts), min(counts), max(counts)]
        rows.append([*row, float(longest["max_wait_us"]), int(longest["processor"])])
    columns = [
        "lock", "processors", "jain_index", "fewest_acquisitions", "most_acquisitions",
        "longest_wait_us", "processor_with_longest_wait",
    ]  # fmt: skip
    return Table("fairness-table", "Each lock", columns, rows, ("lock",))


def _by_processor(run: RunData) -> Table:
    columns = [c for c in map(str, run.locks) if c not in ("lock", "address")]
    rows: list[list[Cell]] = [
        [name, *record.values()]
        for name, group in _groups(run)
        for record in group[columns].to_dict("records")
    ]
    title, tags = "Each lock and processor", ("lock", "processor")
    return Table("lock-processor-table", title, ["lock", *columns], rows, tags)
