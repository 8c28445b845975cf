# SPDX-License-Identifier: MIT
"""URPC Table II: what a null call costs its client and its server, by part."""

import pandas as pd
from matplotlib.axes import Axes
from symlab.errors import NotRun
from symlab.plot.curves import chosen
from symlab.plot.figure import Figure, Verdict, finished
from symlab.plot.repeats import averaged_quantities
from symlab.runs.one_run import Run
from symlab_papers.claims import Claim, Judge, judges
from symlab_papers.measures.calls import NEAR, NS_PER_US

# Part -> what the paper prints, us. The server's poll and receive sum to 15; 6, 9 from memory.
CLIENT = {"send": 18.0, "poll": 6.0, "receive": 10.0, "dispatch": 20.0}
SERVER = {"send": 13.0, "poll": 6.0, "receive": 9.0, "dispatch": 25.0}
SIDES = {"client": CLIENT, "server": SERVER}
PARTS = [f"{side}_{part}" for side in SIDES for part in CLIENT]
BLOCKS, LOADED = 0, 1
NEARLY_EQUAL = 0.05
SHARE = (0.38, 0.48)
SAVED_US, SAVED_TOLERANCE_US = 14.0, 3.0


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """Tidy data, sorted: urpc_loaded, quantity (a part, latency, channel_wait), value (us), spread.

    A part is the mean time a call. channel_wait: time waited for locks of channels, a call.
    """
    columns = [*PARTS, "channel_wait"]
    done = finished(runs, ["urpc_loaded", "call_ns", *columns]).copy()
    done["latency"] = done["call_ns"] / NS_PER_US
    return averaged_quantities(done, ["urpc_loaded"], [*columns, "latency"])


def draw(ax: Axes, data: pd.DataFrame) -> None:
    here = chosen(data, urpc_loaded=BLOCKS).set_index("quantity")["value"]
    columns: dict[str, list[float]] = {}
    for side, parts in SIDES.items():
        columns[f"{side}, paper"] = [*parts.values()]
        columns[side] = [here.get(f"{side}_{part}", 0.0) for part in parts]
    colours = ("#9ecae1", "#3182bd", "#fdae6b", "#e6550d")  # as in Table I
    for i, (label, values) in enumerate(columns.items()):
        places = [part + (i - 1.5) * 0.22 for part in range(len(CLIENT))]
        shown = ax.bar(places, values, 0.22, label=label, color=colours[i])
        ax.bar_label(shown, fmt="%.0f", fontsize="small")
    ax.set_xticks(range(len(CLIENT)), [*CLIENT])
    ax.set_ylabel("Time a call (us)")


def measure(run: Run) -> dict[str, float]:
    """Columns of the run: each part's time a call, us; channel_wait, see `series`."""
    calls = run["calls"]
    parts = {part: calls["parts_per_call_us"][part] for part in PARTS}
    waits = [
        lock["wait_us"]
        for lock in run["locks"]
        if ".urpc_" in lock["name"] and lock["acquisitions"] >= calls["count"]
    ]
    return parts | {"channel_wait": sum(waits) / calls["count"]}


def _value(data: pd.DataFrame, quantity: str, loaded: int = BLOCKS) -> float:
    found = chosen(data, urpc_loaded=loaded, quantity=quantity)["value"]
    if found.empty:
        raise NotRun(f"{quantity} with urpc_loaded={loaded}")
    return float(found.iloc[0])


def _sum(data: pd.DataFrame, side: str) -> float:
    return sum(_value(data, f"{side}_{part}") for part in SIDES[side])


def _parts(id: str, side: str) -> Judge:
    printed = SIDES[side]

    @judges(id)
    def judge(claim: Claim, data: pd.DataFrame) -> Verdict:
        return claim.all_of(
            *(
                claim.near(_value(data, f"{side}_{part}"), time, NEAR * time, what=part)
                for part, time in printed.items()
            )
        )

    return judge


@judges("URPC-16")
def urpc_16(claim: Claim, data: pd.DataFrame) -> Verdict:
    client, server = _sum(data, "client"), _sum(data, "server")
    return claim.at_most({"": abs(client - server) / client}, NEARLY_EQUAL, "of the client's")


@judges("URPC-17")
def urpc_17(claim: Claim, data: pd.DataFrame) -> Verdict:
    both = _sum(data, "client") + _sum(data, "server")
    dispatch = sum(_value(data, f"{side}_dispatch") for side in SIDES)
    return claim.between({"": dispatch / both}, *SHARE)


@judges("URPC-18")
def urpc_18(claim: Claim, data: pd.DataFrame) -> Verdict:
    both = _sum(data, "client") + _sum(data, "server")
    loaded = both - _value(data, "latency", LOADED)
    blocks = both - _value(data, "latency", BLOCKS)
    return claim.all_of(
        claim.near(loaded, SAVED_US, SAVED_TOLERANCE_US, what="loaded"),
        claim.at_most({"": abs(blocks)}, SAVED_TOLERANCE_US, "blocked"),
    )


@judges("URPC-29")
def urpc_29(claim: Claim, data: pd.DataFrame) -> Verdict:
    waits = {f"urpc_loaded={n}": _value(data, "channel_wait", n) for n in (BLOCKS, LOADED)}
    return claim.at_most(waits, 0, "{}")


FIGURE = Figure(
    series, draw,
    (_parts("URPC-14", "client"), _parts("URPC-15", "server"), urpc_16, urpc_17, urpc_18, urpc_29),
    measure=measure, tidy=True,
)  # fmt: skip
