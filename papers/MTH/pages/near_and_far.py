# SPDX-License-Identifier: MIT
"""What the page on near and far memory quotes: results/nodes/, of configs/figures/nodes/."""

import pandas as pd
from symlab.results.markdown import table
from symlab_papers.documents.data import Data, Frame, curves, grid, percent, significant
from symlab_papers.figures.nodes import FAR, LINKS

MACHINES = {
    "symmetry-b": "one bus",
    "symmetry-4x8": "four buses in a ring",
    "spp1000": "SPP 1000",
    "ksr1": "KSR1",
}
BUS, MOST, BEST, HALF = "symmetry-b", 32, 5, 0.5
SUB_PAGE, SINGLE, READY = "sub-page", "single-lock", "local-readyq-random"
STRATEGIES = {
    SINGLE: "Single Lock",
    "multiple-locks": "Multiple Locks",
    "local-freelist": "Local Freelist",
    "idle-queue": "Idle Queue",
    READY: "Local Ready Queue, random",
    "memory-conscious": "memory-conscious",
}


def tables(data: Data) -> dict[str, list[str]]:
    return {
        "strategies": _strategies(data),
        "strategy-misses": _strategy_misses(data),
        "locks": _locks(data),
        "best": _best(data),
    }


def numbers(data: Data) -> dict[str, str]:
    """`<strategy>-<machine>`: how many times as many threads with most processors as with one."""
    turn_us = {name: _at(data, f"locks-{name}").set_index("lock")["turn_us"] for name in MACHINES}
    ksr1, bus = turn_us["ksr1"], turn_us[BUS]
    software = ksr1.drop(SUB_PAGE)
    return {
        f"{strategy}-{machine}": f"{_gain(data, strategy, machine):.2g}"
        for strategy in (SINGLE, READY)
        for machine in MACHINES
    } | {
        "sub-page": significant(ksr1[SUB_PAGE], 2),
        "next": significant(software.min(), 2),
        "next-lock": f"`{software.idxmin()}`",
        "mcs-bus": significant(bus["mcs"], 2),
        "mcs-ring": significant(turn_us["symmetry-4x8"]["mcs"], 2),
        "mcs-ksr1": significant(ksr1["mcs"], 2),
        "links": f"{_at(data, 'locks-ksr1').set_index('lock').loc['mcs', LINKS]:.0f}",
        "near-links": f"{_at(data, 'locks-spp1000').set_index('lock').loc['mcs', LINKS]:.2f}",
    }


def _gain(data: Data, strategy: str, machine: str) -> float:
    found = data.csv(f"nodes/strategies-{machine}").set_index(["strategy", "processors"])
    return float(found.loc[(strategy, 1), "thread_us"] / found.loc[(strategy, MOST), "thread_us"])


def _at(data: Data, part: str) -> Frame:
    found = data.csv(f"nodes/{part}")
    return found[found["processors"] == MOST]


def _strategies(data: Data) -> list[str]:
    """Null threads per millisecond with 1 and with most processors."""
    frames = [data.csv(f"nodes/strategies-{name}").assign(machine=name) for name in MACHINES]
    thread_us = curves(pd.concat(frames), "strategy", ("machine", "processors"), "thread_us")
    columns = {
        (name, p): f"{title}, P = {p}" for name, title in MACHINES.items() for p in (1, MOST)
    }
    return grid(
        "Threads in a ms", STRATEGIES, columns, lambda *at: significant(1000 / thread_us(*at), 3)
    )


def _strategy_misses(data: Data) -> list[str]:
    far = {name: title for name, title in MACHINES.items() if name != BUS}
    frames = [_at(data, f"strategies-{name}").assign(machine=name) for name in far]
    misses = curves(pd.concat(frames), "strategy", "machine", FAR)
    return grid("Far misses a thread", STRATEGIES, far, lambda *at: significant(misses(*at), 2))


def _locks(data: Data) -> list[str]:
    """All locks with most processors, in the order of the machine with one bus."""
    found = {name: _at(data, f"locks-{name}").set_index("lock") for name in MACHINES}
    order = found[BUS]["turn_us"].sort_values().index.tolist()
    others = sorted({lock for frame in found.values() for lock in frame.index} - set(order))
    head = ("Lock", *(f"{title}, us" for title in MACHINES.values()))
    return table(head, ((f"`{lock}`", *(_turn(frame, lock) for frame in found.values()))
                        for lock in [*order, *others]))  # fmt: skip


def _turn(found: Frame, lock: str) -> str:
    """Time of a turn; and the share of the processor with most turns, if it is HALF or more."""
    if lock not in found.index:
        return "" if lock == SUB_PAGE else "no end"
    turn_us, share = found.loc[lock, ["turn_us", "largest_share"]]
    return significant(turn_us, 3) + (f" ({percent(share)} %)" if share >= HALF else "")


def _best(data: Data) -> list[str]:
    """The locks with the shortest turns on each machine, the shortest first."""
    rows = []
    for name, title in MACHINES.items():
        found = _at(data, f"locks-{name}").sort_values("turn_us").head(BEST)
        rows.append(
            (title, ", ".join(f"`{lock}` {us:.3g}" for lock, us in
                              zip(found["lock"], found["turn_us"], strict=True)))
        )  # fmt: skip
    return table(("Machine", "Shortest turns, us"), rows)
