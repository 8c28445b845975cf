# SPDX-License-Identifier: MIT
"""ALL Fig. 4.3: a barrier of processors that arrive together; B_m(P) = elapsed time / P.

Each of P processors takes the lock m once, adds 1, and loops until all processors have done so.
`backoff-capped` is backoff with a mean delay of at most a section. It serves to show why backoff is
slow here (ALL-55).
"""

import pandas as pd
from symlab.plot.curves import Curves, Plot
from symlab.plot.figure import Figure, Verdict, finished
from symlab.plot.repeats import averaged
from symlab_papers.claims import Claim, judges

PROCESSORS = 20  # the paper's Symmetry has 20


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """One row per lock and P, sorted: processors, lock, barrier_us, spread_us, bus_utilisation.

    barrier_us: time per round and processor. bus_utilisation: part of the time that the bus is
    occupied.
    """
    done = finished(runs, ["processors", "lock", "elapsed_us", "rounds", "bus_utilisation"]).copy()
    done["barrier_us"] = done["elapsed_us"] / done["rounds"] / done["processors"]
    keys = ["lock", "processors"]
    return averaged(done, keys, "barrier_us", "spread_us", ["bus_utilisation"])


draw = Plot("barrier_us", "Time of a barrier / processors (µs)", most=PROCESSORS)


@judges("ALL-52", "B_xchgb(P) < B_read(P) and B_backoff(P) for P = 2, 3")
def all_52(claim: Claim, data: pd.DataFrame) -> Verdict:
    time, few = draw.curves(data), (2, 3)
    time.require(["xchgb", "read", "backoff"], few)
    pairs = {
        f"{rival}, largest at P={p}": time.pair(less=("xchgb", p), more=(rival, p))
        for p in few
        for rival in ("read", "backoff")
    }
    return claim.ordered(pairs, "B_xchgb over {}")


@judges("ALL-53", "B_xchgb(P) > B_backoff(P) from some P <= 12 up to 20")
def all_53(claim: Claim, data: pd.DataFrame) -> Verdict:
    time, many = draw.curves(data), range(12, PROCESSORS + 1)
    pairs = time.ordered("backoff", "xchgb", many)
    return claim.ordered(pairs, "B_backoff over B_xchgb for P >= 12, largest at P={}")


@judges("ALL-54", "|B_backoff(P)/B_read(P) - 1| <= 0.3 for all P = 4 to 18")
def all_54(claim: Claim, data: pd.DataFrame) -> Verdict:
    time, middle = draw.curves(data), range(4, 19)
    distances = {p: abs(time["backoff", p] / time["read", p] - 1) for p in middle}
    return claim.at_most(distances, 0.3, "at P={}")


@judges(
    "ALL-55",
    "B falls if no mean delay exceeds a section, and the bus is used less than with read, for "
    "all P = 4 to 18",
)
def all_55(claim: Claim, data: pd.DataFrame) -> Verdict:
    middle = range(4, 19)
    time = draw.curves(data).require(["backoff", "backoff-capped", "read"], middle)
    capped = time.ordered("backoff-capped", "backoff", middle)
    loads = Curves.of(data, "bus_utilisation").ordered("backoff", "read", middle)
    return claim.all_of(
        claim.ordered(capped, "B with the cap over B without, largest at P={}"),
        claim.ordered(loads, "bus use, backoff over read, largest at P={}"),
    )


FIGURE = Figure(series, draw, (all_52, all_53, all_54, all_55), failures=draw.failures)
