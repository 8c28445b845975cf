# SPDX-License-Identifier: MIT
"""The sections on processors, processes and address spaces: the time of each."""

from typing import Any

import pandas as pd
import plotly.graph_objects as go

from symlab.reports.colours import ACTIVITIES, CALL_PARTS, PROCESS_STATES, STATES
from symlab.reports.run_data import RunData, ratio
from symlab.reports.section import Chart, Section, Table, processor_bars, stacked_bars, table_of

LOST = "waited_for_preempted_holder_us"
SIDES = ("client", "server")


def time_chart(run: RunData) -> Chart:
    """Time of each processor. The page opens with it if there is no log for a timeline."""
    views = {
        "by activity": _processor_times(run, "activities_us", ACTIVITIES),
        "by state": _processor_times(run, "states_us", STATES),
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
        [_processor_table(run)],
    )


def _processor_times(run: RunData, column: str, colours: dict[str, str]) -> go.Figure:
    times = [processor[column] for processor in run.processors]
    shown = {name: colour for name, colour in colours.items() if any(of[name] for of in times)}
    return processor_bars(times, shown, "time (us)")


def _processor_table(run: RunData) -> Table:
    activities = [a for a in ACTIVITIES if any(p["activities_us"][a] for p in run.processors)]
    names = [*(f"{state}_us" for state in STATES), *(f"{name}_us" for name in activities)]
    last = ["bus_transactions", "bus_busy_us", "bus_mean_wait_us"]
    columns = ["processor", "instructions", *names, *last]
    rows = [
        p | {f"{name}_us": us for name, us in (p["states_us"] | p["activities_us"]).items()}
        for p in run.processors
    ]
    return table_of("processor-table", "Each processor", columns, rows, "processor")


def processes(run: RunData) -> Section | None:
    if (rows := run.processes) is None:
        return None
    return Section(
        "processes",
        "Threads" if "linux" in run.summary else "Processes",
        "For each process the states sum to the time from its creation to its end, or to the end "
        "of the run. Acquire, section and release are time on a processor. A process loses time if "
        "it waits for a lock on a processor while the holder of the lock has none. Of a free lock, "
        "the process that acquires it next counts as the holder.",
        [Chart("process-time", "Time of each process", {"by state": _process_times(rows)})],
        [_lost(run), _process_table(rows)],
    )


def _process_times(rows: pd.DataFrame) -> go.Figure:
    times = {state: rows[f"{state}_us"].tolist() for state in PROCESS_STATES}
    times = {state: each for state, each in times.items() if any(each)}
    numbers = rows["process"].tolist()
    return stacked_bars(times, numbers, PROCESS_STATES, "process", "time (us)", tagged=True)


def _lost(run: RunData) -> Table:
    """Each lock, with the time lost and its share of all time in which processes waited for locks.
    The time of waits is not in it: it includes the time in which the waiter did not run either."""
    acquire_us = run.summary["processes"]["states_us"]["acquire"]
    rows = [
        {**lock, "share_of_acquire_us": ratio(lock[LOST], acquire_us)} for lock in run.locks_by_name
    ]
    columns = ["lock", "acquisitions", LOST, "share_of_acquire_us"]
    title = "Waits for a process that was not running"
    return table_of("lost-table", title, columns, rows, "lock")


def _process_table(rows: pd.DataFrame) -> Table:
    cells = rows.astype(object).where(rows.notna(), None)  # NaN: not ended
    columns = list(map(str, rows))
    return table_of("process-table", "Each process", columns, cells.to_dict("records"), "process")


def spaces(run: RunData) -> Section | None:
    known = run.summary.get("spaces")
    if known is None:
        return None
    calls = run.summary.get("calls")
    charts = [Chart("space-time", "Time of the processors of each space", {"": _times(known)})]
    tables = [_spaces(known)]
    if calls is not None and calls["count"]:
        note = f"Means of {calls['count']:,} calls. Idle processors and procedures are not in it."
        title = "What a call costs its client and its server"
        charts.append(Chart("call-parts", title, {"": _parts(calls)}, note))
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


def _times(known: list[dict[str, Any]]) -> go.Figure:
    own = [space for space in known if space["space"] is not None]
    times = {name: [space["activities_us"][name] for space in own] for name in ACTIVITIES}
    times = {name: each for name, each in times.items() if any(each)}
    return stacked_bars(times, [s["name"] for s in own], ACTIVITIES, "space", "time (us)")


def _parts(calls: dict[str, Any]) -> go.Figure:
    of = calls["parts_per_call_us"]
    times = {part: [of[f"{side}_{part}"] for side in SIDES] for part in CALL_PARTS}
    return stacked_bars(times, SIDES, CALL_PARTS, "side", "time a call (us)")


def _spaces(known: list[dict[str, Any]]) -> Table:
    activities = [name for name in ACTIVITIES if any(s["activities_us"][name] for s in known)]
    reasons = [f"upcalls_{reason}" for reason in known[0]["upcalls"]]
    counts = ["donations", "preemptions", "calls", "served", "polls", "found"]
    times = ["processors_us", *(f"{name}_us" for name in activities)]
    rows = [
        [
            "none yet" if space["space"] is None else space["name"],
            space["processors_us"],
            *(space["activities_us"][name] for name in activities),
            *space["upcalls"].values(),
            *(space[count] for count in counts),
        ]
        for space in known
    ]
    return Table("space-table", "Each space", ["space", *times, *reasons, *counts], rows)


def _calls(calls: dict[str, Any]) -> Table:
    rows = [[p, time, calls["parts_per_call_us"][p]] for p, time in calls["parts_us"].items()]
    return Table("call-table", "Parts of calls", ["part", "time_us", "per_call_us"], rows)
