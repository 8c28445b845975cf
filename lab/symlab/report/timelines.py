# SPDX-License-Identifier: MIT
"""The section with timelines: activity and state of each processor over time."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from symlab.report.colours import ACTIVITIES, STATES
from symlab.report.occupied import Occupied, Times, edges
from symlab.report.run_data import RunData, us
from symlab.report.section import Chart, Section, about_points, figure
from symlab.report.utilisation import TIME

MOST_CELLS = 20_000  # for all processors together; limits the page to a few megabytes


def timelines(run: RunData) -> Section:
    explanation = "What each processor did over time."
    if run.log is None:
        missing = "Timelines are drawn from the log of a run with observe.transactions = true."
        return Section("timelines", "Timelines", explanation, missing=missing)
    count = len(run.processors)
    begin, end = run.log_span_ps
    borders = edges(begin, end, max(1, MOST_CELLS // count))
    spans = {
        "by activity": (activity_spans(run.log.marks, count, begin, end), ACTIVITIES),
        "by state": (state_spans(run.log.states), STATES),
    }
    views = {
        name: _heatmap(rows, borders, count, colours) for name, (rows, colours) in spans.items()
    }
    step = us(borders[1] - borders[0]) if len(borders) > 1 else 0
    return Section(
        "timelines",
        "Timelines",
        f"{explanation} Time is cut into {len(borders) - 1:,} steps of {step:,} us; a step has the "
        "colour of what took most of it, and the text on it has the exact shares." + run.log_note,
        [Chart("timeline", "The processors over time", views)],
    )


def activity_spans(
    marks: pd.DataFrame, processors: int, begin_ps: int, end_ps: int
) -> pd.DataFrame:
    """Intervals of constant activity: columns processor, what (the activity), start_ps, end_ps.

    `begin_ps`, `end_ps`: the time that the log covers. At time 0 all processors are in activity
    boot. If the log begins later, the activity is unknown until its first change.
    """
    changes = marks[marks["what"] == "activity"]
    start = pd.DataFrame({"processor": range(processors), "start_ps": 0, "what": "boot"})
    start = start if begin_ps == 0 else start[:0]
    rows = pd.DataFrame(
        {
            "processor": changes["processor"].astype(np.int64),
            "start_ps": changes["time_ps"],
            "what": changes["activity"].astype(str),
        }
    )
    rows = pd.concat([start, rows]).sort_values(["processor", "start_ps"], kind="stable")
    rows["end_ps"] = rows.groupby("processor")["start_ps"].shift(-1, fill_value=end_ps)
    return rows.reset_index(drop=True)


def state_spans(states: pd.DataFrame) -> pd.DataFrame:
    """Intervals of constant state, with the columns of `activity_spans`."""
    return pd.DataFrame(
        {
            "processor": states["processor"].astype(np.int64),
            "what": states["state"].astype(str),
            "start_ps": states["start_ps"],
            "end_ps": states["end_ps"],
        }
    )


def covered(spans: pd.DataFrame, borders: Times, names: list[str]) -> Times:
    """Time (ps) that the spans of each name cover in each bin, with shape (names, bins)."""
    found = np.zeros((len(names), len(borders) - 1), dtype=np.int64)
    for number, name in enumerate(names):
        rows = spans[spans["what"] == name]
        occupied = Occupied(rows["start_ps"], rows["end_ps"] - rows["start_ps"])
        found[number] = np.diff(occupied.before(borders))
    return found


def _heatmap(
    spans: pd.DataFrame, borders: Times, processors: int, colours: dict[str, str]
) -> go.Figure:
    names = [name for name in colours if (spans["what"] == name).any()]
    times = [covered(spans[spans["processor"] == p], borders, names) for p in range(processors)]
    steps = [(i + edge) / len(names) for i in range(len(names)) for edge in (0, 1)]
    scale = [[at, colours[names[i // 2]]] for i, at in enumerate(steps)]
    middles = (borders[:-1] + np.diff(borders) / 2) / 1e6
    numbers = list(range(processors))
    trace = go.Heatmap(
        x=middles.tolist(),
        y=numbers,
        z=[_most(part) for part in times],
        text=[_shares(part, names, np.diff(borders)) for part in times],
        hovertemplate="processor %{y}, %{x:,} us<br>%{text}<extra></extra>",
        zmin=-0.5,
        zmax=len(names) - 0.5,
        colorscale=scale,
        ygap=2,
        colorbar={"tickvals": list(range(len(names))), "ticktext": names},
        **about_points("processor", numbers),
    )
    axis = {"dtick": 1, "autorange": "reversed", "type": "category"}
    whole = (us(borders[0]), us(borders[-1]))
    return figure([trace], TIME, "processor", whole, yaxis=axis, showlegend=False)


def _most(times: Times) -> list[int | None]:
    """For each bin, the index of the name that covers most of it; None if nothing is known."""
    pairs = zip(times.argmax(axis=0).tolist(), times.any(axis=0).tolist(), strict=True)
    return [most if known else None for most, known in pairs]


def _shares(times: Times, names: list[str], lengths: Times) -> list[str]:
    return [
        ", ".join(
            f"{name} {part / length:.1%}" for name, part in zip(names, column, strict=True) if part
        )
        for column, length in zip(times.T.tolist(), lengths.tolist(), strict=True)
    ]
