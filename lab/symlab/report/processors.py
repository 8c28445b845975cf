# SPDX-License-Identifier: MIT
"""The section on processors: time by state and activity, and use of the bus, of each processor."""

import plotly.graph_objects as go

from symlab.report.colours import ACTIVITIES, STATES
from symlab.report.run_data import RunData
from symlab.report.section import Cell, Chart, Section, Table, about_points, figure, processor_axis


def time_chart(run: RunData) -> Chart:
    """Time of each processor. The page opens with it if there is no log for a timeline."""
    views = {
        "by activity": _bars(run, "activities_us", ACTIVITIES),
        "by state": _bars(run, "states_us", STATES),
    }
    note = ""
    if run.log is None:
        note = "Make the run with observe.transactions = true to see the processors over time."
    return Chart("processor-time", "Time of each processor", views, note)


def processors(run: RunData) -> Section:
    return Section(
        "processors",
        "The processors",
        "For each processor, states and activities sum to the simulated time. Waiting is for the "
        "bus to be granted, served is from the grant to the end of the transaction.",
        [time_chart(run)] if run.log is not None else [],
        [_table(run)],
    )


def _bars(run: RunData, column: str, colours: dict[str, str]) -> go.Figure:
    numbers = [processor["processor"] for processor in run.processors]
    traces = []
    for name, colour in colours.items():
        times = [processor[column][name] for processor in run.processors]
        if any(times):
            traces.append(
                go.Bar(
                    name=name,
                    x=numbers,
                    y=times,
                    marker={"color": colour},
                    **about_points("processor", numbers),
                )
            )
    return figure(
        traces, "processor", "time (us)", barmode="stack", xaxis=processor_axis(len(numbers))
    )


def _table(run: RunData) -> Table:
    activities = [a for a in ACTIVITIES if any(p["activities_us"][a] for p in run.processors)]
    columns = [
        "processor",
        "instructions",
        *(f"{state}_us" for state in STATES),
        *(f"{activity}_us" for activity in activities),
        "bus_transactions",
        "bus_busy_us",
        "bus_mean_wait_us",
    ]
    rows: list[list[Cell]] = [
        [
            p["processor"],
            p["instructions"],
            *(p["states_us"][state] for state in STATES),
            *(p["activities_us"][activity] for activity in activities),
            p["bus_transactions"],
            p["bus_busy_us"],
            p["bus_mean_wait_us"],
        ]
        for p in run.processors
    ]
    about = [{"processor": str(p["processor"])} for p in run.processors]
    return Table("processor-table", "Each processor", columns, rows, about)
