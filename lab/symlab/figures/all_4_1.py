# SPDX-License-Identifier: MIT
"""ALL Fig. 4.1: elapsed time for a million increments of one counter under a spin lock.

T. E. Anderson, E. D. Lazowska, H. M. Levy, "The Performance Implications of Thread Management
Alternatives for Shared-Memory Multiprocessors", 1989. All P processors loop: lock, add 1 and
test, unlock, until the counter is at 10^6. C_m(P) is the time in seconds with lock m.

Claims ALL-43 to ALL-48. "All P" means every whole P up to 20, the processors of the paper's
machine: a claim over a range holds only if all of the range was run, and fails on one
counterexample.
"""

from collections.abc import Iterable

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from symlab.figure import Figure, State, Verdict, finished
from symlab.figures.styles import LOCKS, style_of

PROCESSORS = 20  # the paper's Symmetry has 20
BREAKPOINT_STEP = 0.05  # processors; resolution of the two-line fit of ALL-47
SOURCE = "ALL Fig 4.1"


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """Columns processors, lock, seconds, spread_s; a row per lock and P, sorted.

    `runs` needs processors, lock, elapsed_us, increments, status. seconds = time for 10^6
    increments: elapsed_us / increments is microseconds each, so seconds a million. Several runs
    of a point (other seeds) give their mean and spread_s, half the distance of the extremes.
    """
    done = finished(runs, ["processors", "lock", "elapsed_us", "increments"])
    seconds = pd.to_numeric(done["elapsed_us"]) / pd.to_numeric(done["increments"])
    flat = pd.DataFrame({"processors": done["processors"], "lock": done["lock"], "s": seconds})
    groups = flat.dropna().groupby(["lock", "processors"], sort=True)["s"]
    data = pd.DataFrame(
        {"seconds": groups.mean(), "spread_s": (groups.max() - groups.min()) / 2}
    ).reset_index()
    return data[["processors", "lock", "seconds", "spread_s"]]


def draw(ax: Axes, data: pd.DataFrame) -> None:
    """The paper's form: a curve a lock over the number of processors."""
    order = [lock for lock in LOCKS if lock in set(data["lock"])]
    others = sorted(set(data["lock"]) - set(order))
    for lock in [*order, *others]:
        rows = data[data["lock"] == lock]
        ax.plot(rows["processors"], rows["seconds"], **style_of(lock).keywords)
    ax.set_xlabel("Processors")
    ax.set_ylabel("Elapsed time (s) for 1,000,000 increments")
    ax.set_xlim(0, PROCESSORS + 0.5)
    ax.set_xticks(range(0, PROCESSORS + 1, 2))
    ax.set_ylim(bottom=0)
    if len(data):
        ax.legend(frameon=False)


def all_43(data: pd.DataFrame) -> Verdict:
    """xchgb and read both at least double from 1 to 20 processors."""
    statement = "C(20)/C(1) >= 2 for xchgb and read"
    return _least_growth("ALL-43", data, 20, 2.0, statement)


def all_44(data: pd.DataFrame) -> Verdict:
    """Both degrade badly at eight processors already."""
    statement = "C(8)/C(1) >= 1.3 for xchgb and read"
    return _least_growth("ALL-44", data, 8, 1.3, statement)


def all_45(data: pd.DataFrame) -> Verdict:
    """Backoff degrades slightly below ten spinners."""
    statement, bound = "C_backoff(P)/C_backoff(1) <= 1.25 for all P <= 10", 1.25
    time = _times(data)
    missing = _missing(time, ["backoff"], range(1, 11))
    one = time.get(("backoff", 1))
    ratios = {p: t / one for (m, p), t in time.items() if m == "backoff" and 2 <= p <= 10 and one}
    if not ratios:
        return _not_run("ALL-45", statement, missing)
    worst = max(ratios, key=lambda p: ratios[p])
    value, note = ratios[worst], f"largest at P={worst}"
    if value <= bound and missing:
        return _not_run("ALL-45", statement, missing)
    return _compared("ALL-45", value <= bound, value, bound, bound - value, statement, note)


def all_46(data: pd.DataFrame) -> Verdict:
    """Backoff still degrades with many spinners."""
    statement = "C_backoff(20) > C_backoff(10)"
    time = _times(data)
    if missing := _missing(time, ["backoff"], (10, 20)):
        return _not_run("ALL-46", statement, missing)
    many, ten = time["backoff", 20], time["backoff", 10]
    spread = _spread(data, [("backoff", 10), ("backoff", 20)])
    margin = many - ten - spread
    return _compared("ALL-46", margin > 0, many, ten, margin, statement, "seconds; less the spread")


def all_47(data: pd.DataFrame) -> Verdict:
    """Backoff's curve is flat, then straight."""
    statement = "two-line fit of C_backoff: first slope <= 1/4 of second, breakpoint 8 to 14"
    time = _times(data)
    everywhere = range(1, PROCESSORS + 1)
    if missing := _missing(time, ["backoff"], everywhere):
        return _not_run("ALL-47", statement, missing)
    x = np.array(everywhere, dtype=float)
    y = np.array([time["backoff", p] for p in everywhere])
    at, first, second = two_line_fit(x, y)
    note = f"slopes {first:.3g} and {second:.3g} s per processor, breakpoint {at:.2f}"
    if second <= 0:
        return _compared("ALL-47", False, None, 0.25, None, statement, note)
    value = first / second
    holds = value <= 0.25 and 8 <= at <= 14
    return _compared("ALL-47", holds, value, 0.25, 0.25 - value, statement, note)


def all_48(data: pd.DataFrame) -> Verdict:
    """Backoff is the best of the three once several spin."""
    statement = "C_backoff(P) < min(C_xchgb(P), C_read(P)) for all P >= 10"
    time = _times(data)
    many = range(10, PROCESSORS + 1)
    missing = _missing(time, ["xchgb", "read", "backoff"], many)
    ratios = {}
    lost = False
    for p in many:
        for rival in ("xchgb", "read"):
            if ("backoff", p) in time and (rival, p) in time:
                ratios[p, rival] = time["backoff", p] / time[rival, p]
                spread = _spread(data, [("backoff", p), (rival, p)])
                lost |= time["backoff", p] + spread >= time[rival, p]
    if not ratios or (missing and not lost):
        return _not_run("ALL-48", statement, missing)
    p, rival = max(ratios, key=lambda key: ratios[key])
    value, note = ratios[p, rival], f"C_backoff over {rival}, largest at P={p}"
    return _compared("ALL-48", not lost, value, 1.0, 1.0 - value, statement, note)


def two_line_fit(x: np.ndarray, y: np.ndarray) -> tuple[float, float, float]:
    """Least squares of two lines that meet: (breakpoint, slope before, slope after).

    The breakpoint leaves at least two of the sorted points `x` on each side.
    """
    best = (np.inf, 0.0, 0.0, 0.0)
    for at in np.arange(x[1], x[-2] + BREAKPOINT_STEP / 2, BREAKPOINT_STEP):
        basis = np.column_stack([np.ones_like(x), x, np.maximum(x - at, 0.0)])
        weights = np.linalg.lstsq(basis, y, rcond=None)[0]
        error = float(np.sum((basis @ weights - y) ** 2))
        if error < best[0]:
            best = (error, float(at), float(weights[1]), float(weights[1] + weights[2]))
    return best[1:]


def _least_growth(
    claim: str, data: pd.DataFrame, processors: int, bound: float, statement: str
) -> Verdict:
    time = _times(data)
    missing = _missing(time, ["xchgb", "read"], (1, processors))
    ratios = {
        lock: time[lock, processors] / time[lock, 1]
        for lock in ("xchgb", "read")
        if (lock, processors) in time and (lock, 1) in time
    }
    if not ratios or (missing and min(ratios.values()) >= bound):
        return _not_run(claim, statement, missing)
    least = min(ratios, key=lambda lock: ratios[lock])
    value, note = ratios[least], f"smaller of the two: {least}"
    return _compared(claim, value >= bound, value, bound, value - bound, statement, note)


def _times(data: pd.DataFrame) -> dict[tuple[str, int], float]:
    rows = zip(data["lock"], data["processors"], data["seconds"], strict=True)
    return {(str(m), int(p)): float(t) for m, p, t in rows if np.isfinite(t)}


def _spread(data: pd.DataFrame, at: list[tuple[str, int]]) -> float:
    """Sum of the points' run-to-run spreads in seconds: an ordering must exceed it."""
    if "spread_s" not in data:
        return 0.0
    chosen = [key in at for key in zip(data["lock"], data["processors"], strict=True)]
    return float(data.loc[chosen, "spread_s"].sum())


def _missing(
    time: dict[tuple[str, int], float], locks: list[str], processors: Iterable[int]
) -> str:
    gaps = {m: [str(p) for p in processors if (m, p) not in time] for m in locks}
    return "; ".join(f"{m} at P={','.join(found)}" for m, found in gaps.items() if found)


def _not_run(claim: str, statement: str, missing: str) -> Verdict:
    return Verdict(claim, "not run", None, None, None, SOURCE, statement, f"missing {missing}")


def _compared(
    claim: str,
    holds: bool,
    value: float | None,
    bound: float,
    margin: float | None,
    statement: str,
    note: str,
) -> Verdict:
    state: State = "holds" if holds else "fails"
    return Verdict(claim, state, value, bound, margin, SOURCE, statement, note)


FIGURE = Figure(
    id="all-4.1",
    config="configs/figures/all-4.1.toml",
    claims=(all_43, all_44, all_45, all_46, all_47, all_48),
    series=series,
    draw=draw,
)
