# SPDX-License-Identifier: MIT
"""What the page on spin locks quotes: ALL section 4, and the locks of Model B."""

from collections.abc import Callable

import numpy as np
from symlab.results.markdown import table
from symlab_papers.documents.data import Data, curves, grid, named, percent, significant, span, text
from symlab_papers.documents.sweeps import sweeps
from symlab_papers.measures.fits import curvature, line_fit, two_line_fit

from ..figures import all_4_6, all_fairness
from ..figures.all_5_1_demand import SPINNERS
from . import model_b

QUIESCENCE = "section-4.4-quiescence"
SECTIONS = "2, 4, 5.1"
SWEEPS = (
    "table-3.1", "figure-4.1", "section-4.1-exchange", "figure-4.2", "figure-4.3",
    "section-4.4-quiescence", "section-4.4-fairness", "section-4.6", "table-4.1",
    "section-5.1-demand",
)  # fmt: skip
TAS, TTAS, BACKOFF, CAPPED, EVERY = "xchgb", "read", "backoff", "backoff-capped", "backoff-every"
LOCKS = {TAS: "TAS", TTAS: "TTAS", BACKOFF: "backoff"}
PAPERS, UPDATE = "write-through", "write-update"
PROTOCOLS = {
    PAPERS: "write-through (Model A)",
    "write-through-on-change": "write-through, invalidating on change",
    "write-back": "write-back (Model B)",
    UPDATE: "write-update",
    "none": "no caches",
}
MOST = 20  # processors of the paper's machine
UNDER_UPDATE = 18  # processors at which ALL-66 looks at the use of the bus


def tables(data: Data) -> dict[str, list[str]]:
    return {
        "sweeps": sweeps(data, "ALL", SWEEPS),
        "counter": data.grid(
            "Processors", LOCKS, (1, 2, 4, 8, 10, 14, 18, MOST), significant,
            "figure-4.1", "lock", "processors", "seconds",
        ),
        "backoff-held": _held(data),
        "barrier": _barrier(data),
        "cascade": data.grid(
            "Spinners", {name: PROTOCOLS[name] for name in (PAPERS, "write-back", UPDATE)},
            (1, 3, 7, 11, 15, 19), ".2f",
            QUIESCENCE, "protocol", "spinners", "value",
            quantity="transactions_per_spinner", lock=TTAS,
        ),
        "release": _release(data),
        "misses": data.grid(
            "Processors", {BACKOFF: "read misses of a waiter, a section"},
            (2, 4, 8, 12, 16, MOST), ".2f", "figure-4.1", "lock", "processors", "misses",
        ),
        "demand": _demand(data),
        "fairness": data.grid(
            "Processors", {**LOCKS, "array": "array queue", "array-xadd": "array queue with xadd"},
            all_fairness.PROCESSORS, lambda share: f"{100 * share:.2g} %",
            "section-4.4-fairness", "lock", "processors", "value", quantity="earlier_share",
        ),
        "bus-use": data.grid(
            "Protocol", PROTOCOLS, LOCKS, ".0%", "section-4.6", "protocol", "lock", "value",
            quantity="bus_utilisation", processors=UNDER_UPDATE,
        ),
        "protocols": data.grid(
            "Protocol", PROTOCOLS, LOCKS, significant, "section-4.6", "protocol", "lock", "value",
            quantity="seconds", processors=MOST,
        ),
        "array": data.grid(
            "Processors", {"array-xadd": "array queue with xadd", "array": "array queue", **LOCKS},
            (4, 8, 12, 16, 18), ".0f",
            "table-4.1", "lock", "processors", "transactions_per_section",
        ),
        **model_b.tables(data),
    }  # fmt: skip


def numbers(data: Data) -> dict[str, str]:
    handoff_us, reads = (_per_spinner(data, name) for name in ("handover_us", "reads_per_spinner"))
    later = [n for n in range(1, MOST) if handoff_us(EVERY, n) > handoff_us(BACKOFF, n)]
    return {
        **_counter_numbers(data),
        **_barrier_numbers(data),
        "reads-most": f"{reads(TTAS, MOST - 1):.2f}",
        "later-up-to": span(later).split()[-1],
        **_protocol_numbers(data),
        **model_b.numbers(data),
    }


def _held(data: Data) -> list[str]:
    runs = data.csv("ALL/figure-4.1")
    by_processors = runs[runs["lock"] == BACKOFF].set_index("processors")
    held_us = by_processors["lock_hold_us"] / by_processors["lock_acquisitions"]
    cells = {
        "Bus used": lambda p: text(by_processors.loc[p, "bus_utilisation"], ".0%"),
        "Lock held, us an increment": lambda p: f"{held_us[p]:.2f}",
    }
    return grid("Processors", named(cells), (1, 5, 10, 15, MOST), lambda row, p: cells[row](p))


def _counter_numbers(data: Data) -> dict[str, str]:
    us = data.curves("figure-4.1", "lock", "processors", "seconds")
    curve = data.figure("figure-4.1", lock=BACKOFF)
    bend, first, second = two_line_fit(
        curve["processors"].to_numpy(dtype=float), curve["seconds"].to_numpy()
    )
    return {
        "bend": f"{bend:.1f}",
        "slope-ratio": f"{first / second:.2f}",
        "tas-at-20": f"{us(TAS, MOST):.0f}",
    }


def _barrier(data: Data) -> list[str]:
    us = data.curves("figure-4.3", "lock", "processors", "barrier_us")
    locks = {**LOCKS, CAPPED: "backoff, delays of at most a section"}
    columns = (1, 2, 3, 4, 6, 9, 12, 15, 17, 18, MOST)
    lines = grid("Processors", locks, columns, lambda lock, p: f"{us(lock, p):.1f}")
    ratios = [f"{us(BACKOFF, p) / us(TTAS, p):.2f}" for p in columns]
    return [*lines, f"| backoff / TTAS | {' | '.join(ratios)} |"]


def _barrier_numbers(data: Data) -> dict[str, str]:
    us = data.curves("figure-4.3", "lock", "processors", "barrier_us")
    runs = data.csv("ALL/figure-4.3")
    runs = runs.assign(held_us=runs["lock_hold_us"] / runs["lock_acquisitions"])
    held_us = curves(runs, "lock", "processors", "held_us")
    alike = [p for p in range(4, MOST) if abs(us(BACKOFF, p) / us(TTAS, p) - 1) <= 0.3]
    capped = {p: us(CAPPED, p) / us(BACKOFF, p) for p in range(4, MOST + 1)}
    return {
        "barrier-most": f"{us(BACKOFF, 4) / us(TTAS, 4):.2f}",
        "barrier-alike": span(alike),
        "held-ttas": f"{held_us(TTAS, 10):.0f}",
        "held-ttas-most": f"{held_us(TTAS, MOST):.0f}",
        "held-backoff": f"{held_us(BACKOFF, 10):.0f}",
        "held-backoff-most": f"{held_us(BACKOFF, MOST):.0f}",
        "capped-18": percent(capped[18] - 1, 1),
        "capped-16": percent(1 - capped[16]),
        "capped-faster": span(p for p, ratio in capped.items() if ratio < 1),
        "capped-best": percent(1 - min(capped.values())),
    }


def _release(data: Data) -> list[str]:
    """Backoff after a release against backoff after every read: misses, and the handoff."""
    locks = {BACKOFF: "backoff after a release", EVERY: "backoff after every read"}
    titles = {"reads_per_spinner": "read misses of a waiter", "handover_us": "handoff, us"}
    values = {name: _per_spinner(data, name) for name in titles}
    rows = {
        (lock, name): f"{lock_title}: {title}"
        for name, title in titles.items()
        for lock, lock_title in locks.items()
    }

    def cell(row: tuple[str, str], spinners: int) -> str:
        lock, name = row
        if spinners == 1 and name == "reads_per_spinner":
            return ""  # the only spinner is the next holder
        return f"{values[name](lock, spinners):.1f}"

    return grid("Spinners", rows, (1, 3, 8, 9, 15, 19), cell)


def _per_spinner(data: Data, name: str) -> Callable[..., float]:
    """A quantity of a release by lock and spinners, on the paper's machine."""
    return data.curves(QUIESCENCE, "lock", "spinners", "value", quantity=name, protocol=PAPERS)


def _demand(data: Data) -> list[str]:
    """ALL-70: slowdown of private sections by spinners, and the fits of a line and a parabola."""
    slowdown = data.curves("section-5.1-demand", "lock", "spinners", "slowdown")
    x = np.array(SPINNERS, dtype=float)
    y = {lock: np.array([slowdown(lock, n) for n in SPINNERS]) for lock in LOCKS}
    shown = (1, 5, 10, 15)
    rows = (
        (
            title,
            *(f"{slowdown(lock, n):.2f}" for n in shown),
            f"{line_fit(x, y[lock])[1]:.3f}",
            f"{curvature(x, y[lock]):.4f}",
        )
        for lock, title in LOCKS.items()
    )
    head = ("Spinners", *map(str, shown), "R^2 of a line", "curvature")
    return table(head, rows)


def _protocol_numbers(data: Data) -> dict[str, str]:
    update = {"quantity": "bus_utilisation", "protocol": UPDATE, "processors": UNDER_UPDATE}
    [use] = data.figure("section-4.6", lock=TAS, **update)["value"]
    requests = data.figure(
        "section-4.6", quantity="requests", protocol="write-through-on-change", lock=TTAS
    )
    requests = requests[requests["processors"].isin(all_4_6.PROCESSORS)]
    slope, _ = line_fit(
        requests["processors"].to_numpy(dtype=float), requests["value"].to_numpy(dtype=float)
    )
    return {
        "update-use": percent(use),
        "requests-per-processor": f"{slope:.1f}",
    }
