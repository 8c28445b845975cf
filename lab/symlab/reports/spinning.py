# SPDX-License-Identifier: MIT
"""The section on the cost of spinning: to the bus, and to the processors that hold locks."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from symlab.reports.colours import ACTIVITIES, KINDS, STATES
from symlab.reports.intervals import Occupied, union
from symlab.reports.run_data import RunData, ps, ratio, us
from symlab.reports.section import Cell, Chart, Section, Table, processor_bars, stacked_bars
from symlab.results.resources import by_resource

MISSING = "What each wait of a holder was behind: of a run with observe.transactions = true."
LOCKED = "(bus free, a line locked by a spinner)"


def spinning(run: RunData) -> Section:
    times = [p["states_us_by_activity"]["critical"] for p in run.processors]
    colours = {state: STATES[state] for state in ("executing", "served", "waiting")}
    holders = processor_bars(times, colours, "time in critical sections (us)")
    return Section(
        "spinning",
        "Cost of spinning",
        "What spinners cost: time of the bus, and time of lock holders that wait for the "
        "bus meanwhile. The slowdown of holders is their time in critical sections over the part "
        "of it in which they did not wait for the bus to be granted." + run.log_note,
        [
            Chart("spin-bus", "Bus held, by activity and kind", {"": _bus_bars(run)}),
            Chart("holder-time", "Time of lock holders", {"": holders}),
        ],
        [cost_table(run), *([] if run.log is None else [waits_of_holders(run.log.bus)])],
        missing=MISSING if run.log is None else "",
    )


def cost_table(run: RunData) -> Table:
    """The table with one quantity per row, over all processors; times are exact."""
    bus = run.summary["bus"]
    spin_ps = sum(ps(time) for time in bus["busy_us_by_activity"]["spin"].values())
    busy_ps, all_ps = ps(bus["busy_us"]), run.end_ps * len(run.processors)
    critical = [p["states_us_by_activity"]["critical"] for p in run.processors]
    states = {state: sum(ps(times[state]) for times in critical) for state in STATES}
    holder_ps = sum(states.values())
    slowdown = ratio(holder_ps, holder_ps - states["waiting"]) if holder_ps else None
    spinning_ps = sum(ps(p["activities_us"]["spin"]) for p in run.processors)
    rows: list[list[Cell]] = [
        ["bus held for spinners", us(spin_ps), "us"],
        ["of the time the bus was held", ratio(spin_ps, busy_ps), "ratio"],
        ["of all simulated time", ratio(spin_ps, run.bus_ps), "ratio"],
        ["transactions of spinners", sum(bus["transactions_by_activity"]["spin"].values()), ""],
        ["processor time spent spinning", us(spinning_ps), "us"],
        ["of all processor time", ratio(spinning_ps, all_ps), "ratio"],
        ["holders executing", us(states["executing"]), "us"],
        ["holders waiting for the bus", us(states["waiting"]), "us"],
        ["holders served by the bus", us(states["served"]), "us"],
        ["waiting per executing", ratio(states["waiting"], states["executing"]), "ratio"],
        ["slowdown of holders by waiting", slowdown, "ratio"],
    ]
    return Table("spin-bill", "The cost in numbers", ["what", "value", "unit"], rows)


def _bus_bars(run: RunData) -> go.Figure:
    by_activity = run.summary["bus"]["busy_us_by_activity"]
    activities = [a for a, kinds in by_activity.items() if any(kinds.values())]
    times = {kind: [by_activity[activity][kind] for activity in activities] for kind in KINDS}
    held = {kind: each for kind, each in times.items() if any(each)}
    titles = "bus held (us)", "activity of the processor"
    return stacked_bars(held, activities, KINDS, *titles, across=True)


def waits_of_holders(bus: pd.DataFrame) -> Table:
    """The waits of requests made in critical sections, divided by the activity on the bus.

    `bus`: the table bus of the transaction log. The remainder is time for which the bus was free
    but the request was not granted. One part of it is apart: a spinner had locked a line. The
    arbiter may then grant nothing (bus.locked_request). A request waits for one resource of the
    interconnect.
    """
    waits = bus[(bus["activity"] == "critical") & ~bus["reply"]]
    all_ps = int((waits["grant_ps"] - waits["posted_ps"]).sum())
    locked = locked_lines(bus)
    locked = locked[locked["activity"] == "spin"]
    behind: dict[str, list[np.ndarray]] = {name: [] for name in (*ACTIVITIES, LOCKED)}
    for uses in by_resource(bus):
        for name, each in _behind(uses, locked).items():
            behind[name].append(each)
    rows: list[list[Cell]] = []
    left_ps = all_ps
    for name, parts in behind.items():
        each = np.concatenate(parts)
        behind_ps = int(each.sum())
        left_ps -= behind_ps
        if behind_ps:
            rows.append([name, us(behind_ps), ratio(behind_ps, all_ps), int((each > 0).sum())])
    rows.append(["(bus free)", us(left_ps), ratio(left_ps, all_ps), None])
    rows.append(["all waits of holders", us(all_ps), ratio(all_ps, all_ps), len(waits)])
    columns = ["behind", "wait_us", "share", "requests"]
    return Table("behind", "What the requests of lock holders waited behind", columns, rows)


def _behind(bus: pd.DataFrame, locked: pd.DataFrame) -> dict[str, np.ndarray]:
    """What occupied one resource -> for how long, in ps, in each wait of a holder for it. `bus`:
    the uses of the resource. `locked`: when spinners had locked a line."""
    waits = bus[(bus["activity"] == "critical") & ~bus["reply"]]
    posted, granted = waits["posted_ps"].to_numpy(), waits["grant_ps"].to_numpy()
    found = {}
    for activity in ACTIVITIES:
        uses = bus[bus["activity"] == activity]
        occupied = Occupied(uses["grant_ps"], uses["duration_ps"])
        found[activity] = occupied.between(posted, granted)
    used = Occupied(bus["grant_ps"], bus["duration_ps"])
    starts = np.concatenate((bus["grant_ps"], locked["start_ps"]))
    ends = np.concatenate((bus["grant_ps"] + bus["duration_ps"], locked["end_ps"]))
    either = union(starts, ends)
    found[LOCKED] = either.between(posted, granted) - used.between(posted, granted)
    return found


def locked_lines(bus: pd.DataFrame) -> pd.DataFrame:
    """For how long each locked instruction had its line locked, as far as the bus has seen it.
    Columns: activity, start_ps (grant of the locked read), end_ps (end of the last unlock; if there
    is none, end of the locked store, which then ends the lock: bus.unlock = with-store)."""
    uses = bus[bus["kind"].isin(["locked_read", "locked_store", "unlock"]) & ~bus["reply"]]
    uses = uses.sort_values(["processor", "grant_ps"], kind="stable")
    kinds = uses["kind"].astype(str)
    uses = pd.DataFrame({
        "activity": uses["activity"].astype(str), "start_ps": uses["grant_ps"],
        "processor": uses["processor"].astype(int), "lock": (kinds == "locked_read").cumsum(),
        "end": uses["grant_ps"] + uses["duration_ps"],
    })  # fmt: skip
    keys = ["processor", "lock"]
    unlocks = uses[kinds == "unlock"].groupby(keys)["end"].max()
    stores = uses[kinds == "locked_store"].groupby(keys)["end"].min()
    ends = unlocks.combine_first(stores).astype(np.int64).rename("end_ps")
    locked = uses[kinds == "locked_read"].join(ends, on=keys, how="inner")
    return locked[["activity", "start_ps", "end_ps"]]
