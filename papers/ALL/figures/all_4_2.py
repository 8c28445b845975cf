# SPDX-License-Identifier: MIT
"""ALL Fig. 4.2: relative speed of eight processors by size of the critical section.

V_m(s) = C_m(1)/C_m(8) is the time for a number of sections with one processor, divided by the time
for as many sections with eight, with lock m. With perfect waiting V would be 1. The size s is the
time for which a single processor holds the lock without contention.
"""

from itertools import pairwise

import pandas as pd
from symlab.errors import NotRun
from symlab.plot.curves import Plot, chosen
from symlab.plot.figure import Figure, Verdict, finished
from symlab.plot.repeats import averaged
from symlab_papers.claims import Claim, judges

PROCESSORS = 8
LOCKS = ("xchgb", "read", "backoff")
SIZES_LEAST = 3  # the fewest section sizes that suffice to judge a slope


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """One row per lock and size, sorted: lock, section_us, relative_speed, spread."""
    columns = ["processors", "lock", "work", "elapsed_us", "lock_hold_us", "lock_acquisitions"]
    done = finished(runs, columns).copy()
    done["section_us"] = done["lock_hold_us"] / done["lock_acquisitions"]
    keys = ["lock", "work"]
    one = averaged(chosen(done, processors=1), keys, "elapsed_us", "spread_us", ["section_us"])
    many = chosen(done, processors=PROCESSORS)[[*keys, "elapsed_us"]]
    both = many.merge(one, on=keys, suffixes=("_many", "_one"))
    both["relative_speed"] = both["elapsed_us_one"] / both["elapsed_us_many"]
    return averaged(both, ["lock", "section_us"], "relative_speed", "spread")


SPEED = f"Speed of {PROCESSORS} processors over that of one"
draw = Plot("relative_speed", SPEED, x="section_us", x_label="Critical section (us)")


@judges("ALL-49")
def all_49(claim: Claim, data: pd.DataFrame) -> Verdict:
    speeds = draw.curves(data, "s")
    speed = list(speeds.curve("read").items())
    if len(speed) < SIZES_LEAST:
        raise NotRun(f"read at {SIZES_LEAST} sizes or more")
    at = {s: speeds.ranged("read", s) for s, _ in speed}
    steps = {f"{s:.4g} us": at[s] - at[before] for before, s in pairwise(at)}
    rise = {"": speed[-1][1] - speed[0][1]}
    return claim.all_of(
        claim.positive(steps, note="least step, to {}"),
        claim.at_least(rise, 0.2, note="from the smallest to the largest size"),
    )


@judges("ALL-50")
def all_50(claim: Claim, data: pd.DataFrame) -> Verdict:
    speeds = draw.curves(data, "s")
    xchgb, read = speeds.curve("xchgb"), speeds.curve("read")
    if len(xchgb) < SIZES_LEAST or not read:
        raise NotRun(f"xchgb and read at {SIZES_LEAST} sizes or more")
    large = [v for s, v in xchgb.items() if s > 2 * min(xchgb)]
    ends = speeds.pair(less=("xchgb", max(xchgb)), more=("read", max(read)))
    return claim.all_of(
        claim.at_most({"": max(large) - min(large)}, 0.15, note="range"),
        claim.ordered({"": ends}, note="V_xchgb over V_read at the largest size"),
    )


@judges("ALL-51")
def all_51(claim: Claim, data: pd.DataFrame) -> Verdict:
    speed = draw.curves(data, "s")
    if missing := [lock for lock in LOCKS if not speed.curve(lock)]:
        raise NotRun(", ".join(missing))
    values = {f"{lock} at {s:.4g} us": v for (lock, s), v in speed.values.items()}
    return claim.at_most(values, 1.05, "largest: {}")


FIGURE = Figure(series, draw, (all_49, all_50, all_51))
