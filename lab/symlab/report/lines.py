# SPDX-License-Identifier: MIT
"""The section on cache lines: those with most bus traffic, and suspects of false sharing."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from symlab.report.colours import ACTIVITIES
from symlab.report.run_data import RunData, us
from symlab.report.section import Cell, Chart, Section, Table, bars_across

SHOWN = 30  # most rows of each table
DEVICES = 0x80000000  # addresses from here on belong to devices, which have no cache lines
WRITES = ("store", "locked_store", "unlock", "read_exclusive", "upgrade")


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
        [Chart("lines-chart", "The bus by line", {"": _bars(uses)})],
        [_hottest(uses), suspects(uses)],
    )


def uses_of_lines(bus: pd.DataFrame, line_bytes: int) -> pd.DataFrame:
    """The uses of the bus for memory, with columns line, offset, wait_ps and write added.

    `bus`: the table bus of the transaction log. line: address of the line; offset: in bytes in the
    line; write: whether the use is a write.
    """
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

    `uses`: see `uses_of_lines`.
    """
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


def _bars(uses: pd.DataFrame) -> go.Figure:
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
    return bars_across(times, places, ACTIVITIES, "line, symbols in it", type="category")
