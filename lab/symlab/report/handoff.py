# SPDX-License-Identifier: MIT
"""The section on lock handoff: the time from a release until a waiting processor has the lock."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from symlab.report.distributions import cumulative, curve_of, table
from symlab.report.episodes import NEVER, Episodes
from symlab.report.run_data import RunData, us
from symlab.report.section import Chart, Section, figure


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
        [table("handoff-table", "Handoff times of each lock", by_lock)],
    )


def handoffs(episodes: Episodes) -> pd.DataFrame:
    """One row per handoff.

    Columns: lock (its address), released_ps, from and to (processors), waiters (number of waiting
    processors at the release), handoff_ps. A release has a row only if the next owner was already
    waiting.
    """
    found = []
    for lock, releases in episodes.releases.groupby("lock", sort=True):
        waits = episodes.waits[episodes.waits["lock"] == lock]  # in order of acquisition
        released = releases["time_ps"].to_numpy()
        acquired = waits["acquired_ps"].to_numpy()
        following = np.searchsorted(acquired, released, side="left")
        waiters = np.searchsorted(np.sort(waits["attempt_ps"]), released, side="right") - following
        has_next = following < len(waits)
        next_wait = waits.iloc[following[has_next]].reset_index(drop=True)
        rows = pd.DataFrame(
            {
                "lock": lock,
                "released_ps": released[has_next],
                "from": releases["processor"].to_numpy()[has_next],
                "to": next_wait["processor"],
                "waiters": waiters[has_next],
                "handoff_ps": next_wait["acquired_ps"] - released[has_next],
            }
        )
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
