# SPDX-License-Identifier: MIT
"""What of URPC's tables and of its words of a call is no expression: drawings, and measures."""

from collections.abc import Mapping

import pandas as pd
from matplotlib.axes import Axes
from symlab.plot.curves import chosen
from symlab.plot.figure import finished
from symlab.plot.models import draw_models
from symlab.plot.repeats import averaged_quantities
from symlab.plot.ticks import from_zero
from symlab.runs.one_run import Run
from symlab_papers.measures.calls import NS_PER_US, PAIRS

COLOURS = ("#9ecae1", "#3182bd", "#fdae6b", "#e6550d")
# Operation -> what the paper prints in Table I, in us: FastThreads, Taos.
TABLE_1: Mapping[str, tuple[float, float]] = {
    "procedure_call": (7, 7),
    "fork": (43, 1192),
    "fork_join": (102, 1574),
    "yield": (37, 57),
    "lock_pair": (27, 27),
    "ping_pong": (53, 271),
}
# Part -> what it prints in Table II, us. The server's poll and receive sum to 15; 6, 9 from memory.
CLIENT = {"send": 18.0, "poll": 6.0, "receive": 10.0, "dispatch": 20.0}
SERVER = {"send": 13.0, "poll": 6.0, "receive": 9.0, "dispatch": 25.0}
SIDES = {"client": CLIENT, "server": SERVER}


# Image -> the lock at the ends of a channel.
LOCKS = {
    "urpc_load": "tried once",
    "urpc_load-none": "none",
    "urpc_load-backoff": "backoff, waited for",
    "urpc_load-mcs": "MCS, waited for",
}


def with_locks(runs: pd.DataFrame, columns: list[str]) -> pd.DataFrame:
    """The finished runs with the lock of their image."""
    done = finished(runs, ["image", *(name for name in columns if name != "lock")])
    return done.assign(lock=done["image"].map(LOCKS))


def by_processors(ax: Axes, data: pd.DataFrame) -> None:
    draw_models(ax, data, "processors", "calls_per_s", "lock", {n: n for n in LOCKS.values()})
    ax.set_xlabel("Processors")
    ax.set_ylabel("Calls per second")


def symmetry(ax: Axes, data: pd.DataFrame) -> None:
    draw_models(ax, data, "threads", "latency_us", "pair", {pair: pair for pair in PAIRS})
    ax.set_xlabel("Threads that call")
    ax.set_ylabel("Latency (us)")


def words(ax: Axes, data: pd.DataFrame) -> None:
    ax.plot(data["words"], data["latency_us"], "o-", markersize=4)
    ax.set_xlabel("Words of argument and result")
    ax.set_ylabel("Latency (us)")
    from_zero(ax)


def table_1_series(runs: pd.DataFrame) -> pd.DataFrame:
    """Tidy data, sorted: image, quantity (operation, or processors), value (us, or count), spread.
    round_trip: a processor to another space and back, each time with a switch of threads."""
    operations = [*TABLE_1, "round_trip"]
    columns = ["image", "processors", *(f"{operation}_ns" for operation in operations)]
    done = finished(runs, columns).copy()
    for operation in operations:
        done[operation] = done[f"{operation}_ns"] / NS_PER_US
    return averaged_quantities(done, ["image"], [*operations, "processors"]).dropna()


def table_1(ax: Axes, data: pd.DataFrame) -> None:
    user, kernel = (
        chosen(data, image=image).set_index("quantity")["value"]
        for image in ("urpc_threads", "urpc_kernel")
    )
    columns = {
        "FastThreads, paper": [paper for paper, _ in TABLE_1.values()],
        "FastThreads": [user.get(operation, 0.0) for operation in TABLE_1],
        "Taos, paper": [paper for _, paper in TABLE_1.values()],
        "kernel threads": [kernel.get(operation, 0.0) for operation in TABLE_1],
    }
    for i, (label, values) in enumerate(columns.items()):
        places = [o + (i - 1.5) * 0.2 for o in range(len(TABLE_1))]
        ax.bar(places, values, 0.2, label=label, color=COLOURS[i])
    ax.set_xticks(range(len(TABLE_1)), [o.replace("_", "\n") for o in TABLE_1])
    ax.set_yscale("log")
    ax.set_ylabel("Time (us)")


def table_2(ax: Axes, data: pd.DataFrame) -> None:
    here = chosen(data, urpc_loaded=0).set_index("quantity")["value"]
    columns: dict[str, list[float]] = {}
    for side, parts in SIDES.items():
        columns[f"{side}, paper"] = [*parts.values()]
        columns[side] = [here.get(f"{side}_{part}", 0.0) for part in parts]
    for i, (label, values) in enumerate(columns.items()):
        places = [part + (i - 1.5) * 0.22 for part in range(len(CLIENT))]
        shown = ax.bar(places, values, 0.22, label=label, color=COLOURS[i])
        ax.bar_label(shown, fmt="%.0f", fontsize="small")
    ax.set_xticks(range(len(CLIENT)), [*CLIENT])
    ax.set_ylabel("Time a call (us)")


def table_2_measure(run: Run) -> dict[str, float]:
    """Columns of the run: each part's time a call, us; channel_wait, for locks of channels."""
    calls = run["calls"]
    names = [f"{side}_{part}" for side in SIDES for part in CLIENT]
    parts = {part: calls["parts_per_call_us"][part] for part in names}
    waits = [
        lock["wait_us"]
        for lock in run["locks"]
        if ".urpc_" in lock["name"] and lock["acquisitions"] >= calls["count"]
    ]
    return parts | {"channel_wait": sum(waits) / calls["count"]}
