# SPDX-License-Identifier: MIT
"""What the page on thread latency quotes: ALL sections 3.5 to 3.7."""

import numpy as np
from symlab.results.markdown import table
from symlab_papers.documents.data import Data, grid, percent, wide
from symlab_papers.documents.sweeps import sweeps
from symlab_papers.measures.fits import line_fit
from symlab_papers.measures.searching import equation
from symlab_papers.names import FREELIST, IDLE, LOCAL

from ..figures.all_3_5 import ARRIVING, BOTH
from .thread_management import TITLES

SECTIONS = "3.1, 3.5 to 3.7"
SWEEPS = (
    "figure-3.4", "figure-3.4-null", "figure-3.4-queues", "figure-3.4-stamps", "section-3.1-idle",
    "figure-3.5", "section-3.7-scans", "section-3.5-unlocked",
)  # fmt: skip
PROCESSORS, MOST = 18, 54  # processors, and the most runnable threads
BELOW, ABOVE = PROCESSORS - 1, PROCESSORS + 1  # runnable threads on both sides of n = P
FEW, FADED = 9, 36  # runnable threads with which ALL-31 compares the spike
SPIKE = 1.3  # times the cost with FADED threads that the spike has to reach for ALL-31

# Column of the data -> its title.
JUMP = {
    "cost_us": "cost of a thread, by the paper's definition, us",
    "management_us": "creation, start and finish, us",
    "lock_wait_us": "of them, waiting for locks, us",
}
SEARCHED = {"equation": "Equation 3.1", "counted": "counted"}


def tables(data: Data) -> dict[str, list[str]]:
    of_cost = ("figure-3.4", "strategy", "runnable", "cost_us")
    runnable = _runnable(1, 2, FEW, 14, BELOW, ABOVE, FADED, MOST)
    idle_queue = {IDLE: TITLES[IDLE], FREELIST: TITLES[FREELIST]}
    few = _runnable(2, 6, 10, 13, 14, 15, 16, BELOW)
    jump = data.figure("figure-3.4", strategy=FREELIST).set_index("runnable")
    at = _runnable(1, FEW, 14, 16, BELOW, ABOVE, 20, 22, 27, FADED, MOST)
    searched = data.csv("ALL/figure-3.5").set_index("runnable")
    return {
        "sweeps": sweeps(data, "ALL", SWEEPS),
        "cost": data.grid("Strategy", TITLES, runnable, ".1f", *of_cost),
        "queues": _queues(data),
        # ALL-27: local free lists on both sides of n = P
        "jump": wide("Local free lists", JUMP, _runnable(BELOW, ABOVE), ".1f", jump),
        "idle-queue": data.grid("Cost, us", idle_queue, few, ".1f", *of_cost),
        "searched": wide("Queues searched", SEARCHED, at, ".2f", searched),
        "scans": _scans(data),
    }


def _runnable(*threads: int) -> dict[int, str]:
    return {n: f"n = {n}" for n in threads}


def numbers(data: Data) -> dict[str, str]:
    return _cost_numbers(data) | _spike_numbers(data) | _searching_numbers(data)


def _queues(data: Data) -> list[str]:
    """The height of the spike by number of local ready queues."""
    cost = data.csv("ALL/figure-3.4-queues").groupby("processors")["cost_us"]
    height_us = cost.max() - cost.min()
    rows, corner = {"": "Height of the spike, us"}, "Processors, each with a queue"
    return grid(corner, rows, height_us.index, lambda _, queues: f"{height_us[queues]:.1f}")


def _cost_numbers(data: Data) -> dict[str, str]:
    cost, management, create, attempts = (
        data.curves("figure-3.4", "strategy", "runnable", name)
        for name in ("cost_us", "management_us", "create_us", "attempts")
    )
    null = data.figure("figure-3.4-null", processors=PROCESSORS)
    off = (null["cost_us"] / null["null_us"] - 1).abs()
    stamps = data.csv("ALL/figure-3.4-stamps")
    backlog = stamps[stamps["runnable"] > PROCESSORS]["stamps_more_us"]
    cheaper = [n for n in range(1, PROCESSORS) if cost(IDLE, n) < cost(FREELIST, n)]
    return {
        "null-off": percent(off[null["strategy"] != LOCAL].max()),
        "null-off-local": percent(off[null["strategy"] == LOCAL].max()),
        "stamps-backlog": f"{backlog.min():.1f} to {backlog.max():.1f}",
        "one-attempts": f"{attempts(FREELIST, 1):.0f}",
        "one-management-ms": f"{management(FREELIST, 1) / 1000:.1f}",
        "idle-cheaper-to": str(max(cheaper)),
        "idle-create-more": f"{create(IDLE, BELOW) - create(FREELIST, BELOW):.1f}",
        "jump": percent(1 - management(FREELIST, ABOVE) / management(FREELIST, BELOW)),
    }


def _spike_numbers(data: Data) -> dict[str, str]:
    cost = data.curves("figure-3.4", "strategy", "runnable", "cost_us")
    us = {n: cost(LOCAL, n) for n in range(1, MOST + 1)}
    peak = max(us, key=lambda n: us[n])
    sides = [range(1, PROCESSORS), range(ABOVE, MOST + 1)]
    searched = {n: float(equation(abs(n - PROCESSORS), PROCESSORS)) for side in sides for n in side}
    fits, correlations = [], []
    for side in sides:
        queues, costs = np.array([searched[n] for n in side]), np.array([us[n] for n in side])
        fits.append(line_fit(queues, costs)[0])
        correlations.append(float(np.corrcoef(queues, costs)[0, 1]))
    faded_us, fewer = us[FADED], searched[ABOVE] - searched[FADED]
    return {
        "correlation": f"{min(correlations):.3f}",
        "queue-below": f"{fits[0]:.1f}",
        "queue-above": f"{fits[1]:.1f}",
        "peak": str(peak),
        "peak-few": f"{us[peak] / us[FEW]:.2f}",
        "peak-faded": f"{us[peak] / faded_us:.2f}",
        "peak-fewer": f"{fewer:.0f}",
        "peak-queue-us": f"{(SPIKE - 1) * faded_us / fewer:.1f}",
    }


def _scans(data: Data) -> list[str]:
    counted = data.curves("section-3.7-scans", "disturbance", "threads", "counted")
    undisturbed = {r: float(equation(r, PROCESSORS)) for r in range(1, 11)}
    rows = (
        (
            str(r),
            f"{undisturbed[r]:.2f}",
            f"{counted(ARRIVING, r):.2f}",
            f"{counted(BOTH, r):.2f}",
            f"{undisturbed[r] + undisturbed[r - 1]:.2f}",
        )
        for r in (2, 3, 4, 6, 8, 10)
    )
    head = ("Threads, r", "E(r)", "a thread arrives", "two processors scan", "E(r) + E(r-1)")
    return table(head, rows)


def _searching_numbers(data: Data) -> dict[str, str]:
    figure = data.csv("ALL/figure-3.5")
    off = (figure["counted"] / figure["equation"] - 1).abs()
    both = data.curves("section-3.7-scans", "disturbance", "threads", "counted")
    sums = {r: float(equation(r, PROCESSORS) + equation(r - 1, PROCESSORS)) for r in range(2, 11)}
    apart = max(abs(both(BOTH, r) / total - 1) for r, total in sums.items())
    unlocked = data.csv("ALL/section-3.5-unlocked").set_index(["processors", "strategy"])
    life = unlocked["elapsed_us"] / unlocked["us"]
    ratios = [life[p, "unlocked-queues"] / life[p, FREELIST] for p in life.index.unique(0)]
    return {
        "points": str(len(figure)),
        "searched-off": percent(off.max(), 1),
        "both-off": percent(apart, 1),
        "unlocked-times": f"{life[PROCESSORS, 'unlocked-queues']:.2f}",
        "central-times": f"{life[PROCESSORS, FREELIST]:.2f}",
        "unlocked-ratio": f"{min(ratios):.2f} to {max(ratios):.2f}",
    }
