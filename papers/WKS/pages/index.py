# SPDX-License-Identifier: MIT
"""What the page on Wisniewski, Kontothanassis & Scott (1993) quotes: its claims with verdicts, the
locks on three machines, and the KSR1."""

from collections.abc import Iterable

import pandas as pd
from symlab.plot.curves import chosen
from symlab.results.markdown import table
from symlab_papers.documents.claim_table import claim_numbers, claim_table
from symlab_papers.documents.data import Data, Frame, grid, significant
from symlab_papers.markdown import measured, state_cell
from symlab_papers.measures.processes import NAMES, NAT, NATN, THOUSANDTHS
from symlab_papers.paper import find_paper, parts
from symlab_papers.spread import load_spreads, widened

from ..figures import wks_4, wks_6, wks_8
from ..figures.wks_locks import CASES

PAPER = "WKS"
FAST = {"figure-4-fast": wks_4, "figure-6-fast": wks_6, "figure-8-fast": wks_8}
INTERRUPTS = (NAT, "sub-page-interruptible", NATN)
ALONE, CONTENDED, SHARED = CASES
COLUMNS = {
    (ALONE, "turn_us"): "One worker, a turn",
    (CONTENDED, "turn_us"): "7 workers, a turn",
    (CONTENDED, "longest_wait_us"): "longest wait",
    (SHARED, "turn_us"): "7 workers, m = 2, a turn",
    (SHARED, "longest_wait_us"): "longest wait, m = 2",
}


def tables(data: Data) -> dict[str, list[str]]:
    symmetry = data.csv("WKS/section-5-locks-symmetry")
    return {
        "claims": claim_table(data, PAPER),
        "harnesses": _harnesses(data),
        "fast": _fast(data),
        "ksr": _levels(data.csv(f"{PAPER}/figure-5"), NAMES),
        "ksr-signals": _levels(data.csv(f"{PAPER}/figure-5"), NAMES, "signals"),
        "interrupts": _levels(data.csv(f"{PAPER}/section-4.2-interrupts"), INTERRUPTS),
        "work": _work(data.csv(f"{PAPER}/section-4.2-work")),
        "locks-iris": _locks(data.csv("WKS/section-5-locks")),
        "locks-a": _locks(chosen(symmetry, protocol="write-through")),
        "locks-b": _locks(chosen(symmetry, protocol="write-back")),
    }


def numbers(data: Data) -> dict[str, str]:
    return claim_numbers(data, PAPER)


def _harnesses(data: Data) -> list[str]:
    at = chosen(data.csv(f"{PAPER}/figure-4"), multiprogramming=2000)
    us = at.set_index(["kernel", "lock"])["turn_us"]
    rows = {"local": "the kernel", "signals": "the paper's harness"}
    return grid("Run by", rows, NAMES, lambda kernel, lock: f"{us[kernel, lock]:.0f}")


def _fast(data: Data) -> list[str]:
    """The claims of Figures 4, 6 and 8, also judged on processors as fast as the paper's."""
    here = {c["id"]: c for c in data.claims(PAPER)}
    spreads = load_spreads(data.folder(PAPER))
    rows = []
    for part in parts(find_paper(PAPER)):
        if part.name not in FAST:
            continue
        measurements = widened(part, data.csv(f"{PAPER}/{part.name}"), spreads)
        rows += [
            (
                v.id, here[v.id]["statement"], state_cell(here[v.id]["verdict"]),
                measured(v.value, v.note), state_cell(v.state),
            )
            for v in FAST[part.name].FIGURE.judge_data(measurements)
        ]  # fmt: skip
    titles = "Claim", "What the paper says", "386", "Ten times as fast", "Verdict there"
    return table(titles, rows)


def _levels(data: Frame, locks: Iterable[str], kernel: str = "local") -> list[str]:
    """The time of a turn in us, by lock and level."""
    of_kernel = chosen(data, kernel=kernel) if "kernel" in data else data
    us = of_kernel.set_index(["lock", "multiprogramming"])["turn_us"]
    levels = {m: f"m = {m / THOUSANDTHS:g}" for m in wks_4.LEVELS}
    return grid(
        "Turn, us", {name: name for name in locks}, levels,
        lambda lock, m: f"{us[lock, m]:.0f}",
    )  # fmt: skip


def _work(data: pd.DataFrame) -> list[str]:
    """The time of a turn in us, by work between two sections, level and lock."""
    us = data.set_index(["outside_us", "multiprogramming", "lock"])["turn_us"]
    cases = dict.fromkeys((work, m) for work, m, _ in us.index)
    rows = {(work, m): f"{work}, m = {m / THOUSANDTHS:g}" for work, m in cases}
    locks = [name for name in NAMES if name in set(data["lock"])]
    return grid("Work in us, level", rows, locks, lambda case, lock: f"{us[(*case, lock)]:.0f}")


def _locks(data: pd.DataFrame) -> list[str]:
    at = data.set_index(["lock", "workers", "multiprogramming"])
    return grid(
        "Lock, us", {name: name for name in dict.fromkeys(data["lock"])}, COLUMNS,
        lambda lock, column: significant(at.loc[(lock, *column[0]), column[1]]),
    )  # fmt: skip
