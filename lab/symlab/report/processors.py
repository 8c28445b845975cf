# SPDX-License-Identifier: MIT
"""The section on processors: time by state and activity, and use of the bus, of each processor."""

import plotly.graph_objects as go

from symlab.report.colours import ACTIVITIES, STATES
from symlab.report.run_data import RunData
from symlab.report.section import Cell, Chart, Section, Table, processor_bars


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
    times = [processor[column] for processor in run.processors]
    shown = {name: colour for name, colour in colours.items() if any(of[name] for of in times)}
    return processor_bars(times, shown, "time (us)")


def _table(run: RunData) -> Table:
    activities = [a for a in ACTIVITIES if any(p["activities_us"][a] for p in run.processors)]
    names = [*(f"{state}_us" for state in STATES), *(f"{name}_us" for name in activities)]
    last = ["bus_transactions", "bus_busy_us", "bus_mean_wait_us"]
    columns = ["processor", "instructions", *names, *last]
    rows: list[list[Cell]] = []
    for p in run.processors:
        times = {f"{name}_us": us for name, us in (p["states_us"] | p["activities_us"]).items()}
        rows.append([{**p, **times}[column] for column in columns])
    return Table("processor-table", "Each processor", columns, rows, ("processor",))
