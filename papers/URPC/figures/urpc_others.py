# SPDX-License-Identifier: MIT
"""URPC section 4.3: the null call by URPC, by LRPC, and by messages through the kernel."""

import pandas as pd
from matplotlib.axes import Axes
from symlab.errors import NotRun
from symlab.plot.curves import Curves
from symlab.plot.figure import Figure, Verdict, finished
from symlab.plot.repeats import averaged
from symlab.runs.one_run import Run
from symlab_papers.claims import Claim, judges
from symlab_papers.measures.calls import NEAR, NS_PER_US

LRPC_US = 157.0
LRPC_TOLERANCE_US = 16.0
TRAP_US = 20.0
KERNEL_SHARE, SHARE_TOLERANCE = 0.7, 0.07
URPC, LRPC, MESSAGE, TRAP = "URPC", "LRPC", "messages", "trap"
LRPC_CACHED = "LRPC, idle processors"
WAYS = (URPC, LRPC_CACHED, LRPC, MESSAGE)


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """Tidy data, sorted: way, processors, call_us, spread_us, kernel_share (of all its time)."""
    names = {"call_ns": URPC, "lrpc_ns": LRPC, "message_ns": MESSAGE, "trap_ns": TRAP}
    done = finished(runs, ["image", "processors", "lrpc_caching", "kernel_share", *names])
    long = done.melt(
        id_vars=["processors", "lrpc_caching", "kernel_share", "only"],
        value_vars=list(names),
        var_name="way",
        value_name="call_us",
    ).dropna(subset=["call_us"])
    long["way"] = long["way"].map(names)
    long["call_us"] = pd.to_numeric(long["call_us"]) / NS_PER_US
    long = long[(long["way"] == URPC) | (long["way"] == TRAP) | (long["only"] != "")]
    cached = (long["way"] == LRPC) & (long["lrpc_caching"] == 1)
    long.loc[cached, "way"] = LRPC_CACHED
    return averaged(long, ["way", "processors"], "call_us", "spread_us", ["kernel_share"])


def draw(ax: Axes, data: pd.DataFrame) -> None:
    shown = data[data["way"].isin(WAYS)]
    ways = shown["way"].str.replace(", ", ",\n").str.replace("idle processors", "idle")
    labels = [f"{way}\n{p} proc." for way, p in zip(ways, shown["processors"], strict=True)]
    bars = ax.bar(range(len(shown)), shown["call_us"], 0.6)
    ax.bar_label(bars, fmt="%.0f")
    ax.set_xticks(range(len(shown)), labels, fontsize="small")
    ax.set_ylabel("Null call (us)")
    ax.margins(y=0.1)  # room for the numbers


def measure(run: Run) -> dict[str, float]:
    """Columns of the run: kernel_share, the time that processor 0 is in the kernel over all."""
    first = run["processors"][0]["activities_us"]
    return {"kernel_share": first["kernel"] / run["simulated_us"]}


def _calls(data: pd.DataFrame) -> Curves:
    return Curves.of(data, "call_us", "processors", "way")


@judges("URPC-02", "LRPC within 16 us of 157 us, and URPC on two processors faster")
def urpc_02(claim: Claim, data: pd.DataFrame) -> Verdict:
    calls = _calls(data)
    return claim.all_of(
        claim.near(calls[LRPC_CACHED, 2], LRPC_US, LRPC_TOLERANCE_US),
        claim.ordered({"": calls.pair((URPC, 2), (LRPC_CACHED, 2))}, "URPC over LRPC"),
    )


@judges("URPC-11", "a trap within 10 % of 20 us, and LRPC at least two of them")
def urpc_11(claim: Claim, data: pd.DataFrame) -> Verdict:
    calls = _calls(data)
    traps = {way: calls[LRPC, 1] / calls[TRAP, 1] for way in (LRPC,)}
    return claim.all_of(
        claim.near(calls[TRAP, 1], TRAP_US, NEAR * TRAP_US),
        claim.at_least(traps, 2, "{} over a trap"),
    )


@judges("URPC-27", "the kernel takes 0.7 +- 0.07 of an LRPC on one processor")
def urpc_27(claim: Claim, data: pd.DataFrame) -> Verdict:
    share = Curves.of(data, "kernel_share", "processors", "way")
    if (LRPC, 1) not in share:
        raise NotRun(LRPC)
    return claim.near(share[LRPC, 1], KERNEL_SHARE, SHARE_TOLERANCE, "of the time")


FIGURE = Figure(series, draw, (urpc_02, urpc_11, urpc_27), measure=measure, tidy=True)
