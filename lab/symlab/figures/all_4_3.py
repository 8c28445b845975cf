# SPDX-License-Identifier: MIT
"""ALL Fig. 4.3: a barrier of processors that arrive together; B_m(P) = elapsed time / P.

Each of P processors takes the lock m once, adds 1, and loops until all processors have done so.
`backoff-capped` is backoff with a mean delay of at most a section. It serves to show why backoff is
slow here (ALL-55).

Claims ALL-52 to ALL-55.
"""

from functools import partial

import pandas as pd
from matplotlib.axes import Axes

from symlab.claims import Claim
from symlab.curves import Curves, averaged, plot_curves
from symlab.figure import Figure, Verdict, finished, transactions_of

PROCESSORS = 20  # the paper's Symmetry has 20
SOURCE = "ALL Fig 4.3"


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """One row per lock and P, sorted: processors, lock, barrier_us, spread_us, bus_load.

    barrier_us: time per round and processor. bus_load: bus transactions per us by processors that
    wait for the lock or hold it.
    """
    done = finished(runs, ["processors", "lock", "elapsed_us", "rounds"]).copy()
    done["barrier_us"] = done["elapsed_us"] / done["rounds"] / done["processors"]
    done["bus_load"] = transactions_of(done, "spin", "critical") / done["elapsed_us"]
    keys = ["lock", "processors"]
    bus = averaged(done, keys, "bus_load", "unused").drop(columns="unused")
    return averaged(done, keys, "barrier_us", "spread_us").merge(bus, on=keys)


def draw(ax: Axes, data: pd.DataFrame) -> None:
    plot_curves(ax, data, "processors", "barrier_us")
    ax.set_xlabel("Processors")
    ax.set_ylabel("Time of a barrier / processors (µs)")
    ax.set_xlim(0, PROCESSORS + 0.5)
    ax.set_xticks(range(0, PROCESSORS + 1, 2))


def all_52(data: pd.DataFrame) -> Verdict:
    """With few processors, no lock has a faster handoff than xchgb."""
    claim = Claim("ALL-52", SOURCE, "B_xchgb(P) < B_read(P) and B_backoff(P) for P = 2, 3")
    time, few = _times(data), (2, 3)
    pairs = {
        f"{rival}, largest at P={p}": time.pair(less=("xchgb", p), more=(rival, p))
        for p in few
        for rival in ("read", "backoff")
        if ("xchgb", p) in time and (rival, p) in time
    }
    missing = time.missing(["xchgb", "read", "backoff"], few)
    return claim.ordered(pairs, missing, "B_xchgb over {}")


def all_53(data: pd.DataFrame) -> Verdict:
    """With more processors, xchgb is slower than backoff."""
    statement = "B_xchgb(P) > B_backoff(P) from some P <= 12 up to 20"
    claim = Claim("ALL-53", SOURCE, statement)
    time, many = _times(data), range(12, PROCESSORS + 1)
    pairs = {
        p: time.pair(less=("backoff", p), more=("xchgb", p))
        for p in many
        if ("backoff", p) in time and ("xchgb", p) in time
    }
    missing = time.missing(["xchgb", "backoff"], many)
    return claim.ordered(pairs, missing, "B_backoff over B_xchgb for P >= 12, largest at P={}")


def all_54(data: pd.DataFrame) -> Verdict:
    """The curves of backoff and read are similar."""
    statement = "|B_backoff(P)/B_read(P) - 1| <= 0.3 for all P = 4 to 18"
    claim = Claim("ALL-54", SOURCE, statement)
    time, middle = _times(data), range(4, 19)
    distances = {
        p: abs(time["backoff", p] / time["read", p] - 1)
        for p in middle
        if ("backoff", p) in time and ("read", p) in time
    }
    return claim.at_most(distances, 0.3, time.missing(["backoff", "read"], middle), "at P={}")


def all_55(data: pd.DataFrame) -> Verdict:
    """Backoff is slow here because its delays grow too long, not because of bus load."""
    statement = (
        "B falls if no mean delay exceeds a section, and the bus is used less than with read, "
        "for all P = 4 to 18"
    )
    claim = Claim("ALL-55", SOURCE, statement)
    time, middle = _times(data), range(4, 19)
    bus = Curves.of(data, "bus_load")
    capped = {
        p: time.pair(less=("backoff-capped", p), more=("backoff", p))
        for p in middle
        if ("backoff-capped", p) in time and ("backoff", p) in time
    }
    loads = {
        p: bus.pair(less=("backoff", p), more=("read", p))
        for p in middle
        if ("backoff", p) in bus and ("read", p) in bus
    }
    missing = time.missing(["backoff", "backoff-capped", "read"], middle)
    return claim.all_of(
        claim.ordered(capped, missing, "B with the cap over B without, largest at P={}"),
        claim.ordered(loads, missing, "transactions per us, backoff over read, largest at P={}"),
    )


_times = partial(Curves.of, y="barrier_us", spread="spread_us")

FIGURE = Figure(
    id="all-4.3",
    config="configs/figures/ALL/figure-4.3.toml",
    claims=(all_52, all_53, all_54, all_55),
    series=series,
    draw=draw,
    quick={"guest.args.rounds": 2, "machine.processors": [1, 4, 18]},
    reduced={"guest.args.rounds": 20},
)
