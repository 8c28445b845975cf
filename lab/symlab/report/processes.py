# SPDX-License-Identifier: MIT
"""The section on processes: the time of each by state, and the waits for one that did not run."""

import plotly.graph_objects as go

from symlab.report.colours import PROCESS_STATES
from symlab.report.run_data import RunData, ratio
from symlab.report.section import Cell, Chart, Section, Table, about_points, figure

LOST = "waited_for_preempted_holder_us"


def processes(run: RunData) -> Section | None:
    if run.processes is None:
        return None
    return Section(
        "processes",
        "Processes",
        "For each process the states sum to the time from its creation to its end, or to the end "
        "of the run. Acquire, section and release are time on a processor. A process loses time if "
        "it waits for a lock on a processor while the holder of the lock has none. Of a free lock, "
        "the process that acquires it next counts as the holder.",
        [Chart("process-time", "Time of each process", {"by state": _bars(run)})],
        [_lost(run), _table(run)],
    )


def _bars(run: RunData) -> go.Figure:
    assert run.processes is not None
    numbers = run.processes["process"].tolist()
    traces = [
        go.Bar(
            name=state,
            x=numbers,
            y=run.processes[f"{state}_us"].tolist(),
            marker={"color": colour},
            **about_points("process", numbers),
        )
        for state, colour in PROCESS_STATES.items()
        if run.processes[f"{state}_us"].any()
    ]
    return figure(traces, "process", "time (us)", barmode="stack")


def _lost(run: RunData) -> Table:
    """Each lock, with the time lost and its share of all time in which processes waited for locks.

    The time of waits is not in it: it includes the time in which the waiter did not run either.
    """
    acquire_us = run.summary["processes"]["states_us"]["acquire"]
    rows: list[list[Cell]] = [
        [run.lock_names[int(lock["address"], 16)], lock["acquisitions"], lock[LOST],
         ratio(lock[LOST], acquire_us)]
        for lock in run.summary["locks"]
    ]  # fmt: skip
    columns = ["lock", "acquisitions", LOST, "share_of_acquire_us"]
    title = "Waits for a process that was not running"
    return Table("lost-table", title, columns, rows, ("lock",))


def _table(run: RunData) -> Table:
    assert run.processes is not None
    rows: list[list[Cell]] = [
        [None if value != value else value for value in record.values()]  # NaN: not ended
        for record in run.processes.to_dict("records")
    ]
    return Table("process-table", "Each process", list(map(str, run.processes)), rows, ("process",))
