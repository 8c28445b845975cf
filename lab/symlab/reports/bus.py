# SPDX-License-Identifier: MIT
"""The sections on the bus: its use over time, its queue, and its hottest lines."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from symlab.reports.colours import ACTIVITIES, KINDS, numbered
from symlab.reports.intervals import Occupied, edges
from symlab.reports.run_data import PS_PER_US, RunData, ratio, us
from symlab.reports.section import Cell, Chart, Section, Table, about_trace, figure, stacked_bars
from symlab.results.resources import by_resource

MOST_BINS = 1000  # about the width of a chart in pixels

TIME = "simulated time (us)"
SHARE = "bus busy (share)"
SIDES = {"l": 64, "r": 36}  # equal margins: times of charts below each other stay aligned
ACTIVITY_PREFIX, KIND_PREFIX = "share_activity_", "share_kind_"
MISSING = "The bus by processor is drawn from the log of a run with observe.transactions = true."
SHOWN = 30  # most rows of each table
DEVICES = 0x80000000  # addresses from here on belong to devices, which have no cache lines
WRITES = ("store", "locked_store", "unlock", "read_exclusive", "upgrade")


def bus_chart(run: RunData) -> Chart:
    """Utilisation over time, stacked by activity, kind or processor."""
    rows, merged = merged_intervals(run.bus, MOST_BINS)
    views = {
        "by activity": _stack(rows, ACTIVITY_PREFIX, ACTIVITIES),
        "by kind of transaction": _stack(rows, KIND_PREFIX, KINDS),
    }
    if run.log is not None:
        views["by processor"] = _by_processor(run, run.log.bus)
    return Chart("bus-time", "The bus over time", views, _note(run, merged))


def utilisation(run: RunData) -> Section:
    rows, merged = merged_intervals(run.bus, MOST_BINS)
    queue = figure(
        [_steps(rows, "mean_queue_length", {"color": "#0072B2"}, name="requests waiting")],
        TIME,
        "requests waiting (mean over the interval)",
        over_time=(0, run.summary["simulated_us"]),
        yaxis={"rangemode": "tozero"},
    )
    return Section(
        "bus",
        "The bus",
        "Its queue over time, and who held it for what. The upper edge of the chart on top of the "
        f"page is the utilisation: {run.summary['bus']['utilisation']} over the whole run."
        + (run.log_note and run.log_note + " It is what the bus by processor is drawn from."),
        [Chart("bus-queue", "Queue for the bus", {"": queue}, _note(run, merged))],
        [_by_activity_and_kind(run)],
        missing=MISSING if run.log is None else "",
    )


def merged_intervals(bus: pd.DataFrame, most: int) -> tuple[pd.DataFrame, int]:
    """Merges rows of `bus` (bus.csv) to at most `most` rows; also returns the rows merged into one.

    Columns: start_us, end_us, busy_us (sum); means weighted by the length of the intervals:
    utilisation, mean_queue_length, share_...
    """
    together = max(1, -(-len(bus) // most))
    group = np.arange(len(bus)) // together
    length = bus["end_us"] - bus["start_us"]
    means = bus.columns[bus.columns.str.fullmatch("utilisation|mean_queue_length|share_.*")]
    weighted = bus[means].mul(length, axis=0).groupby(group).sum()
    rows = weighted.div(length.groupby(group).sum(), axis=0)
    rows.insert(0, "start_us", bus["start_us"].groupby(group).first())
    rows.insert(1, "end_us", bus["end_us"].groupby(group).last())
    rows.insert(2, "busy_us", bus["busy_us"].groupby(group).sum())
    return rows.round(9), together


def _note(run: RunData, together: int) -> str:
    """The resolution of a chart of bus.csv. `together`: how many of its rows are one step."""
    length = f"{run.summary['bus']['interval_us']:,} us long"
    if together == 1:
        return f"Each step is one of the intervals of bus.csv, {length}."
    return f"Each step is the mean of {together} of the intervals of bus.csv, which are {length}."


def _stack(rows: pd.DataFrame, prefix: str, colours: dict[str, str]) -> go.Figure:
    traces = [
        _layer(rows, prefix + name, name, colour)
        for name, colour in colours.items()
        if rows[prefix + name].any()
    ]
    return _stacked(traces, float(rows["end_us"].iloc[-1]) if len(rows) else 0.0)


def _stacked(traces: list[go.Scatter], end_us: float) -> go.Figure:
    """The figure with all shares of an instant in one hover label."""
    for trace in traces:
        trace.hovertemplate = "%{y:.1%}"
    axis = {"range": [0, 1], "tickformat": ".0%", "dtick": 0.25}
    return figure(traces, TIME, SHARE, (0, end_us), hovermode="x unified", yaxis=axis, margin=SIDES)


def shares_of_processors(run: RunData, bus: pd.DataFrame) -> pd.DataFrame:
    """Bus use by processor in at most MOST_BINS equal intervals of the time the log covers.

    Columns: start_us, end_us, and for each processor's number the part of the interval for which
    it occupied the bus; if there are several resources, the mean of their parts. `bus`: the table
    bus of the transaction log.
    """
    borders = edges(*run.log_span_ps, MOST_BINS)
    rows = {"start_us": borders[:-1] / PS_PER_US, "end_us": borders[1:] / PS_PER_US}
    for number in range(len(run.processors)):
        held = np.zeros(len(borders) - 1)
        for uses in by_resource(bus[bus["processor"] == number]):
            held += np.diff(Occupied(uses["grant_ps"], uses["duration_ps"]).before(borders))
        rows[str(number)] = (held / (np.diff(borders) * run.resources)).round(9)
    return pd.DataFrame(rows)


def _by_processor(run: RunData, bus: pd.DataFrame) -> go.Figure:
    rows = shares_of_processors(run, bus)
    traces = [
        _layer(rows, n, f"processor {n}", numbered(int(n)), **about_trace(processor=n))
        for n in map(str, range(len(run.processors)))
    ]
    return _stacked(traces, run.summary["simulated_us"])


def _layer(rows: pd.DataFrame, column: str, name: str, colour: str, **tags: object) -> go.Scatter:
    line = {"width": 0, "color": colour}
    return _steps(rows, column, line, name=name, stackgroup="bus", fillcolor=colour, **tags)


def _steps(
    rows: pd.DataFrame, column: str, line: dict[str, object], **keywords: object
) -> go.Scatter:
    """A step curve with one step per row; the last step extends to the end of its row."""
    x = [*rows["start_us"].tolist(), *rows["end_us"].tolist()[-1:]]
    y = [*rows[column].tolist(), *rows[column].tolist()[-1:]]
    return go.Scatter(x=x, y=y, mode="lines", line={"shape": "hv", **line}, **keywords)


def _by_activity_and_kind(run: RunData) -> Table:
    bus, whole_us = run.summary["bus"], run.summary["simulated_us"] * run.resources
    counts = bus["transactions_by_activity"]
    rows = [
        [activity, kind, counts[activity][kind], busy_us, ratio(busy_us, whole_us)]
        for activity, kinds in bus["busy_us_by_activity"].items()
        for kind, busy_us in kinds.items()
        if busy_us
    ]
    columns = ["activity", "kind", "transactions", "busy_us", "share_of_time"]
    return Table("bus-use", "Who held the bus, and why", columns, rows)


def lines(run: RunData) -> Section:
    explanation = "Which lines of memory the bus was used for."
    if run.log is None:
        missing = "Addresses are in the log of a run with observe.transactions = true."
        return Section("lines", "Hottest lines", explanation, missing=missing)
    line_bytes = run.config["cache.line_bytes"]
    uses = uses_of_lines(run.log.bus, line_bytes)
    return Section(
        "lines",
        "Hottest lines",
        f"{explanation} A line has {line_bytes} bytes. Suspected of false sharing are lines that "
        "several processors wrote at different offsets after boot; the more offsets with a single "
        "writer, the likelier. With caches that write back, only writes that went over the bus "
        "are seen." + run.log_note,
        [Chart("lines-chart", "The bus by line", {"": _line_bars(uses)})],
        [_hottest(uses), suspects(uses)],
    )


def uses_of_lines(bus: pd.DataFrame, line_bytes: int) -> pd.DataFrame:
    """The uses of the bus for memory, with columns line, offset, wait_ps and write added. `bus`:
    the table bus of the transaction log. line: address of the line; offset: in bytes in the line;
    write: whether the use is a write."""
    uses = bus[bus["address"] < DEVICES].copy()
    address = uses["address"].astype(np.int64)
    uses["line"] = address - address % line_bytes
    uses["offset"] = address % line_bytes
    uses["wait_ps"] = np.where(uses["reply"], 0, uses["grant_ps"] - uses["posted_ps"])
    uses["write"] = uses["kind"].isin(WRITES) & ~uses["reply"]
    return uses


def _busiest(uses: pd.DataFrame) -> list[int]:
    busy = uses.groupby("line")["duration_ps"].sum().reset_index()
    return busy.sort_values(["duration_ps", "line"], ascending=[False, True])["line"].tolist()


def _name(line: int, rows: pd.DataFrame) -> str:
    """The line's address and the symbols in it; a symbol may begin before the line."""
    pairs = rows[["offset", "symbol"]].drop_duplicates()
    named = pairs.sort_values("offset", kind="stable")["symbol"].astype(str).tolist()
    symbols = list(dict.fromkeys(symbol.partition("+")[0] for symbol in named if symbol))
    return f"{line:#010x} {', '.join(symbols[:4])}{' ...' if len(symbols) > 4 else ''}".strip()


def _hottest(uses: pd.DataFrame) -> Table:
    groups = dict(list(uses.groupby("line")))
    rows: list[list[Cell]] = []
    for line in _busiest(uses)[:SHOWN]:
        group = groups[line]
        requests = group[~group["reply"]]
        address, _, symbols = _name(line, group).partition(" ")
        rows.append([
            address, symbols, len(requests), us(group["duration_ps"].sum()),
            us(group["wait_ps"].sum()), us(group["wait_ps"].max()),
            int(group["processor"].nunique()),
            int(group.loc[group["write"], "processor"].nunique()),
        ])  # fmt: skip
    columns = [
        "line", "symbols", "transactions", "busy_us", "wait_us", "max_wait_us", "processors",
        "writers",
    ]  # fmt: skip
    return Table("lines-table", f"The {len(rows)} hottest lines", columns, rows)


def suspects(uses: pd.DataFrame) -> Table:
    """Lines that several processors write at several offsets; those with most bus time first.
    `uses`: see `uses_of_lines`."""
    written = uses[uses["write"] & (uses["activity"] != "boot")]
    groups = dict(list(written.groupby("line")))
    rows: list[list[Cell]] = []
    for line in _busiest(written):
        group = groups[line]
        writers = group.groupby("offset")["processor"].agg(["nunique", "first"])
        if group["processor"].nunique() < 2 or len(writers) < 2:
            continue
        alone = writers[writers["nunique"] == 1]
        address, _, symbols = _name(line, group).partition(" ")
        rows.append([
            address, symbols, int(group["processor"].nunique()), len(writers), len(alone),
            int(alone["first"].nunique()), len(group), us(group["duration_ps"].sum()),
        ])  # fmt: skip
    columns = [
        "line", "symbols", "writers", "offsets_written", "offsets_with_one_writer",
        "processors_with_an_offset_of_their_own", "writes", "busy_us",
    ]  # fmt: skip
    return Table("suspects", "False sharing suspects", columns, rows[:SHOWN])


def _line_bars(uses: pd.DataFrame) -> go.Figure:
    busiest = _busiest(uses)[:15]
    top = uses[uses["line"].isin(busiest)]
    names = {line: _name(line, top[top["line"] == line]) for line in sorted(busiest)}
    by_activity = top.groupby(["activity", "line"], observed=True)["duration_ps"].sum()
    times = {
        activity: [us(by_activity.get((activity, line), 0)) for line in busiest]
        for activity in ACTIVITIES
        if activity in by_activity.index
    }
    places = [names[line] for line in busiest]
    titles, axis = ("bus held (us)", "line, symbols in it"), {"type": "category"}
    return stacked_bars(times, places, ACTIVITIES, *titles, across=True, yaxis=axis)
