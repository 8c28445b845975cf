# SPDX-License-Identifier: MIT
"""The timeline: activity and state of each processor over time."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from symlab.reports.bus import SIDES, TIME
from symlab.reports.colours import ACTIVITIES, STATES
from symlab.reports.intervals import Occupied, Times, edges
from symlab.reports.run_data import RunData, us
from symlab.reports.section import Chart, about_points, figure, processor_axis

MOST_CELLS = 20_000  # for all processors together; limits the page to a few megabytes
PIXELS = 160  # about the height of the chart; it has a row of cells for each
UNKNOWN = "."
LEAST_ROWS, MOST_ROWS = 3, 12  # for a processor


def timeline(run: RunData) -> Chart | None:
    """The processors over time, by activity or state; None for a run without a log."""
    if run.log is None:
        return None
    count = len(run.processors)
    begin, end = run.log_span_ps
    borders = edges(begin, end, max(1, MOST_CELLS // count))
    spans = {
        "by activity": (activity_spans(run.log.marks, count, begin, end), ACTIVITIES),
        "by state": (state_spans(run.log.states), STATES),
    }
    views = {n: _heatmap(rows, borders, count, colours) for n, (rows, colours) in spans.items()}
    step = us(borders[1] - borders[0]) if len(borders) > 1 else 0
    note = f"Each step of {step:,} us is divided by shares; point at it for numbers." + run.log_note
    return Chart("timeline", "The processors over time", views, note)


def activity_spans(
    marks: pd.DataFrame, processors: int, begin_ps: int, end_ps: int
) -> pd.DataFrame:
    """Intervals of constant activity: columns processor, what (the activity), start_ps, end_ps.
    `begin_ps`, `end_ps`: the time that the log covers. At time 0 all processors are in activity
    boot. If the log begins later, the activity is unknown until its first change."""
    start = pd.DataFrame({"processor": range(processors), "start_ps": 0, "what": "boot"})
    start = start if begin_ps == 0 else start[:0]
    rows = marks.loc[marks["what"] == "activity", ["processor", "time_ps", "activity"]]
    rows = rows.astype({"processor": np.int64, "activity": str})
    rows = rows.set_axis(["processor", "start_ps", "what"], axis=1)
    rows = pd.concat([start, rows]).sort_values(["processor", "start_ps"], kind="stable")
    rows["end_ps"] = rows.groupby("processor")["start_ps"].shift(-1, fill_value=end_ps)
    return rows.reset_index(drop=True)


def state_spans(states: pd.DataFrame) -> pd.DataFrame:
    """Intervals of constant state, with the columns of `activity_spans`."""
    spans = states.rename(columns={"state": "what"})
    return spans.astype({"processor": np.int64, "what": str})


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
    middles = ((borders[:-1] + np.diff(borders) / 2) / 1e6).tolist()
    numbers = list(range(processors))
    texts = go.Heatmap(
        x=middles,
        y=numbers,
        z=[[0] * len(middles)] * processors,
        text=[_shares(part, names, np.diff(borders)) for part in times],
        hovertemplate="processor %{y}, %{x:,} us<br>%{text}<extra></extra>",
        opacity=0,
        showscale=False,
        **about_points("processor", numbers),
    )
    rows = min(MOST_ROWS, max(LEAST_ROWS, PIXELS // processors - 1))
    at = (np.arange(rows + 1) + 0.5) / (rows + 1) - 0.5  # the last one stays empty, as a gap
    steps = [(i + edge) / len(names) for i in range(len(names)) for edge in (0, 1)]
    painted = go.Heatmap(
        x=middles,
        y=(np.add.outer(numbers, at)).ravel().tolist(),
        z=[row for part in times for row in [*stacked(part, rows), UNKNOWN * len(middles)]],
        hoverinfo="skip",
        zmin=-0.5,
        zmax=len(names) - 0.5,
        colorscale=[[at, colours[names[i // 2]]] for i, at in enumerate(steps)],
        showscale=False,
        **about_points("processor", np.repeat(numbers, rows + 1).tolist()),
    )
    axis = {**processor_axis(processors), "autorange": "reversed", "zeroline": False}
    whole = (us(borders[0]), us(borders[-1]))
    legend = [(name, colours[name]) for name in names]
    return figure([texts, painted], TIME, "processor", whole, legend, yaxis=axis, margin=SIDES)


def stacked(times: Times, rows: int) -> list[str]:
    """Divides each bin into `rows` parts according to the shares of the names, the first name last.

    `times`: see `covered`. Returns `rows` strings with a character for each bin: the index of the
    name as a digit, or UNKNOWN. The page makes numbers of them. As lists they would be most of the
    page, and of the time to make it.
    """
    ends = np.cumsum(times, axis=0)
    middles = (np.arange(rows)[::-1, None] + 0.5) / rows * ends[-1]
    digits = np.array([*"0123456789"])[(ends[:, None, :] <= middles).sum(axis=0).clip(max=9)]
    digits[:, ends[-1] == 0] = UNKNOWN
    return ["".join(row) for row in digits]


def _shares(times: Times, names: list[str], lengths: Times) -> list[str]:
    bins = zip(times.T.tolist(), lengths.tolist(), strict=True)
    each = ([(n, part / all_) for n, part in zip(names, bin, strict=True)] for bin, all_ in bins)
    return [", ".join(f"{name} {part:.1%}" for name, part in one if part) for one in each]
