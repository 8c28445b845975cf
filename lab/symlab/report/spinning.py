# SPDX-License-Identifier: MIT
"""The section on the cost of spinning: to the bus, and to the processors that hold locks."""

import plotly.graph_objects as go

from symlab.report.colours import KINDS, STATES
from symlab.report.holder_waits import waits_of_holders
from symlab.report.run_data import RunData, ps, ratio, us
from symlab.report.section import Cell, Chart, Section, Table, bars_across, processor_bars

MISSING = "What each wait of a holder was behind: of a run with observe.transactions = true."


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
    return bars_across(held, activities, KINDS, "activity of the processor")
