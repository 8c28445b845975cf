# SPDX-License-Identifier: MIT
"""The section on address spaces: the time of their processors, and the parts of their calls."""

from typing import Any

import plotly.graph_objects as go

from symlab.report.colours import ACTIVITIES, CALL_PARTS
from symlab.report.run_data import RunData
from symlab.report.section import Cell, Chart, Section, Table, figure

SIDES = ("client", "server")


def spaces(run: RunData) -> Section | None:
    known = run.summary.get("spaces")
    if known is None:
        return None
    calls = run.summary.get("calls")
    charts = [Chart("space-time", "Time of the processors of each space", {"": _times(known)})]
    tables = [_spaces(known)]
    if calls is not None and calls["count"]:
        note = f"Means of {calls['count']:,} calls. Idle processors and procedures are not in it."
        parts = {"": _parts(calls)}
        charts.append(
            Chart("call-parts", "What a call costs its client and its server", parts, note)
        )
        tables.append(_calls(calls))
    return Section(
        "spaces",
        "Address spaces",
        "A processor counts for the space in which it is; the kernel counts for the space that it "
        "leaves. All spaces, and processors that are in none yet, sum to the time of all "
        "processors. With observe.perfetto = true the trace has each space as a process.",
        charts,
        tables,
    )


def _name(space: dict[str, Any]) -> str:
    return "none yet" if space["space"] is None else space["name"]


def _times(known: list[dict[str, Any]]) -> go.Figure:
    own = [space for space in known if space["space"] is not None]
    traces = [
        go.Bar(
            name=activity,
            x=[space["name"] for space in own],
            y=[space["activities_us"][activity] for space in own],
            marker={"color": colour},
        )
        for activity, colour in ACTIVITIES.items()
        if any(space["activities_us"][activity] for space in own)
    ]
    return figure(traces, "space", "time (us)", barmode="stack")


def _parts(calls: dict[str, Any]) -> go.Figure:
    times = calls["parts_per_call_us"]
    traces = [
        go.Bar(
            name=part,
            x=list(SIDES),
            y=[times[f"{side}_{part}"] for side in SIDES],
            marker={"color": colour},
        )
        for part, colour in CALL_PARTS.items()
    ]
    return figure(traces, "side", "time a call (us)", barmode="stack")


def _spaces(known: list[dict[str, Any]]) -> Table:
    activities = [name for name in ACTIVITIES if any(s["activities_us"][name] for s in known)]
    reasons = [f"upcalls_{reason}" for reason in known[0]["upcalls"]]
    counts = ["donations", "preemptions", "calls", "served", "polls", "found"]
    times = ["processors_us", *(f"{name}_us" for name in activities)]
    rows: list[list[Cell]] = [
        [
            _name(space),
            space["processors_us"],
            *(space["activities_us"][name] for name in activities),
            *space["upcalls"].values(),
            *(space[count] for count in counts),
        ]
        for space in known
    ]
    return Table("space-table", "Each space", ["space", *times, *reasons, *counts], rows)


def _calls(calls: dict[str, Any]) -> Table:
    rows: list[list[Cell]] = [
        [part, time, calls["parts_per_call_us"][part]] for part, time in calls["parts_us"].items()
    ]
    return Table("call-table", "Parts of calls", ["part", "time_us", "per_call_us"], rows)
