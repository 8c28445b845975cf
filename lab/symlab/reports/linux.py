# SPDX-License-Identifier: MIT
"""The section on the kernel of a Linux program: its system calls, and sleeps on futexes."""

from typing import Any

import plotly.graph_objects as go

from symlab.reports.colours import STATES
from symlab.reports.run_data import RunData
from symlab.reports.section import Chart, Section, Table, stacked_bars, table_of

MOST_CALLS = 16  # in the chart


def linux(run: RunData) -> Section | None:
    known = run.summary.get("linux")
    if known is None:
        return None
    parts = {name: known[f"{name}_us"] for name in ("user", "kernel", "scheduler", "idle")}
    whole = sum(parts.values())
    shares = ", ".join(f"{name} {time / whole:.1%}" for name, time in parts.items() if whole)
    return Section(
        "linux",
        "The kernel of the Linux program",
        f"Time of all processors: {shares}. {known['switches']:,} switches, of which "
        f"{known['migrations']:,} to another processor. A call's clocks are those of processors in "
        "the kernel; its elapsed time has its sleeps too. A sleep on a futex ends with the wake.",
        [Chart("call-time", "Time in the kernel", {"": _times(known["system_calls"])})],
        [_calls(known["system_calls"]), _futexes(run, known["futexes"])],
    )


def _times(calls: list[dict[str, Any]]) -> go.Figure:
    first = sorted(calls, key=lambda call: -call["kernel_us"])[:MOST_CALLS]
    times = {"executing": [call["kernel_us"] for call in first]}
    names = [call["call"] for call in first]
    return stacked_bars(times, names, {"executing": STATES["executing"]}, "call", "time (us)")


def _calls(calls: list[dict[str, Any]]) -> Table:
    rows = sorted(calls, key=lambda call: -call["kernel_us"])
    return table_of("call-table", "Each system call", list(calls[0]) if calls else [], rows)


def _futexes(run: RunData, futexes: list[dict[str, Any]]) -> Table:
    names = {}
    if run.processes is not None:
        names = dict(zip(run.processes["process"], run.processes["name"], strict=True))
    rows = [
        {**row, "woken_by_name": names.get(row["woken_by"])}
        for row in sorted(futexes, key=lambda row: -row["wait_us"])
    ]
    columns = [
        "word", "symbol", "function", "caller", "woken_by", "woken_by_name", "woken_in", "waits",
        "wait_us", "longest_us",
    ]  # fmt: skip
    return table_of("futex-table", "Sleeps on futexes", columns, rows)
