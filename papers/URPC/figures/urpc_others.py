# SPDX-License-Identifier: MIT
"""URPC section 4.3: the null call by URPC, by LRPC, and by messages through the kernel."""

from functools import partial

import pandas as pd
from matplotlib.axes import Axes
from symlab.plot.curves import Curves
from symlab.plot.figure import Figure, finished
from symlab.plot.repeats import averaged
from symlab.runs.one_run import Run
from symlab_papers.expressions import claims
from symlab_papers.measures.calls import NS_PER_US

URPC, LRPC, MESSAGE, TRAP = "URPC", "LRPC", "messages", "trap"
LRPC_CACHED = "LRPC, idle processors"
WAYS = (URPC, LRPC_CACHED, LRPC, MESSAGE)


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """Tidy data, sorted: way, processors, call_us, spread_us, kernel_share (of all its time)."""
    names = {"call_ns": URPC, "lrpc_ns": LRPC, "message_ns": MESSAGE, "trap_ns": TRAP}
    done = finished(runs, ["image", "processors", "only", "lrpc_caching", "kernel_share", *names])
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


CLAIMS = claims(
    "urpc-others", K=partial(Curves.of, y="call_us", curve="way"),
    S=partial(Curves.of, y="kernel_share", curve="way"),
)  # fmt: skip
FIGURE = Figure(series, draw, CLAIMS, measure=measure, tidy=True)
