# SPDX-License-Identifier: MIT
"""The sections on locks: acquisitions, waits, holds; handoffs; fairness among the processors."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from symlab.reports.colours import numbered
from symlab.reports.intervals import NEVER, Episodes
from symlab.reports.run_data import RunData, ps, ratio, us
from symlab.reports.section import (
    Cell,
    Chart,
    Section,
    Table,
    about_trace,
    figure,
    processor_axis,
    table_of,
)

CURVE_POINTS = 200
QUANTILES = {"median_us": 0.5, "p90_us": 0.9, "p99_us": 0.99}
TIME_COLUMNS = ["lock", "count", "mean_us", "least_us", *QUANTILES, "most_us"]
COLUMNS = (
    "lock", "address", "processors", "attempts", "acquisitions", "releases", "wait_us",
    "mean_wait_us", "max_wait_us", "hold_us", "mean_hold_us", "max_hold_us", "open_wait_us",
    "open_hold_us",
)  # fmt: skip


def quantile(ordered: NDArray[np.int64], share: float) -> int:
    """The smallest of the sorted values such that at least `share` of all values are <= it."""
    return int(ordered[max(0, int(np.ceil(share * len(ordered))) - 1)])


def cumulative(times: Mapping[str, NDArray[np.int64]], x: str) -> go.Figure:
    """Plots for each lock the share of its `times` (ps) that are at most x (us). `x`: title of the
    x axis."""
    traces = []
    for number, (lock, values) in enumerate(times.items()):
        if not len(values):
            continue
        ordered = np.sort(values)
        count = len(ordered)
        ranks = np.unique(np.linspace(1, count, min(count, CURVE_POINTS)).astype(int))
        x_us, shares = [us(ordered[rank - 1]) for rank in ranks], [int(n) / count for n in ranks]
        look = {"marker": {"size": 3}, "line_shape": "hv"}
        traces.append(curve_of(lock, number, x_us, shares, **look))
    return figure(traces, x, "share of them not longer (ratio)", yaxis={"range": [0, 1.02]})


def curve_of(lock: str, number: int, x: list[float], y: list[float], **more: Any) -> go.Scatter:
    """The curve of a lock, with the colour of its number. `more`: further settings."""
    line = {"color": numbered(number)}
    tags = about_trace(lock=lock)
    return go.Scatter(name=lock, x=x, y=y, mode="lines+markers", line=line, **tags, **more)


def times_table(id: str, title: str, times: Mapping[str, NDArray[np.int64]]) -> Table:
    """One row per lock with `times` (ps), columns TIME_COLUMNS."""
    rows: list[list[Cell]] = []
    for lock, values in times.items():
        if len(values):
            ordered = np.sort(values)
            mean = round(int(ordered.sum()) / len(ordered))
            inner = [us(quantile(ordered, share)) for share in QUANTILES.values()]
            rows.append([lock, len(ordered), us(mean), us(ordered[0]), *inner, us(ordered[-1])])
    return Table(id, title, TIME_COLUMNS, rows, ["lock"])


def locks(run: RunData) -> Section:
    explanation = (
        "Wait is from attempt to acquisition, hold from acquisition to the start of the "
        "instruction that releases."
    )
    if not run.summary["locks"]:
        return Section("locks", "Locks", explanation, missing="The guest took no lock.")
    tables = [table_of("lock-table", "Each lock", COLUMNS, run.locks_by_name, "lock")]
    if run.log is None:
        missing = (
            "The distributions are in the log of a run with observe.transactions = true; without "
            "it, there are means and extremes."
        )
        return Section("locks", "Locks", explanation, tables=tables, missing=missing)
    waits, holds = wait_times(run), hold_times(run)
    views = {"waits": cumulative(waits, "wait (us)"), "holds": cumulative(holds, "hold (us)")}
    tables += [
        times_table("wait-table", "Waits of each lock", waits),
        times_table("hold-table", "Holds of each lock", holds),
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
    """The section on fairness: acquisitions and waits of each processor, and Jain's index. Source
    of the index: R. Jain, D. Chiu, W. Hawe, A quantitative measure of fairness, DEC-TR-301,
    1984."""
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
    rows = [
        {**record, "lock": name}
        for name, group in _groups(run)
        for record in group.to_dict("records")
    ]
    title, tags = "Each lock and processor", ("lock", "processor")
    return table_of("lock-processor-table", title, ["lock", *columns], rows, *tags)


def handoff(run: RunData) -> Section | None:
    if not run.summary["locks"]:
        return None
    explanation = (
        "From the start of the instruction that releases a lock to its next acquisition, where "
        "that is by a processor that was already waiting at the release."
    )
    if run.log is None:
        missing = "Each handoff is in the log of a run with observe.transactions = true."
        return Section("handoff", "Handoff", explanation, missing=missing)
    found = handoffs(run.episodes)
    by_lock = run.by_lock(found["lock"], found["handoff_ps"])
    views = {
        "distribution": cumulative(by_lock, "handoff time (us)"),
        "by number of waiters": _by_waiters(run, found),
    }
    return Section(
        "handoff",
        "Handoff",
        explanation + run.log_note,
        [Chart("handoff-chart", "Handoff times", views)],
        [times_table("handoff-table", "Handoff times of each lock", by_lock)],
    )


def handoffs(episodes: Episodes) -> pd.DataFrame:
    """One row per handoff. Columns: lock (its address), released_ps, from and to (processors),
    waiters (number of waiting processors at the release), handoff_ps. A release has a row only if
    the next owner was already waiting."""
    found = []
    for lock, releases in episodes.releases.groupby("lock", sort=True):
        waits = episodes.waits[episodes.waits["lock"] == lock]  # in order of acquisition
        released = releases["time_ps"].to_numpy()
        acquired = waits["acquired_ps"].to_numpy()
        following = np.searchsorted(acquired, released, side="left")
        waiters = np.searchsorted(np.sort(waits["attempt_ps"]), released, side="right") - following
        has_next = following < len(waits)
        next_wait = waits.iloc[following[has_next]].reset_index(drop=True)
        rows = pd.DataFrame({
            "lock": lock, "released_ps": released[has_next],
            "from": releases["processor"].to_numpy()[has_next], "to": next_wait["processor"],
            "waiters": waiters[has_next],
            "handoff_ps": next_wait["acquired_ps"] - released[has_next],
        })  # fmt: skip
        waited = next_wait["attempt_ps"] <= rows["released_ps"]
        found.append(rows[waited & (next_wait["acquired_ps"] < NEVER)])
    columns = ["lock", "released_ps", "from", "to", "waiters", "handoff_ps"]
    return pd.concat(found, ignore_index=True) if found else pd.DataFrame(columns=columns)


def _by_waiters(run: RunData, found: pd.DataFrame) -> go.Figure:
    traces = []
    for number, (address, name) in enumerate(run.lock_names.items()):
        groups = found[found["lock"] == address].groupby("waiters")["handoff_ps"]
        if not len(groups):
            continue
        means = groups.mean()
        texts = [f"{count:,} handoffs" for count in groups.count()]
        y = [us(round(mean)) for mean in means]
        traces.append(curve_of(name, number, means.index.tolist(), y, text=texts))
    axis = {"rangemode": "tozero"}
    return figure(traces, "processors waiting at the release", "mean handoff (us)", yaxis=axis)
