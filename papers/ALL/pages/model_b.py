# SPDX-License-Identifier: MIT
"""What the page on spin locks quotes of Model B's sweeps: results/model-b/."""

import pandas as pd
from symlab.plot.styles import BARRIERS
from symlab.results.markdown import table
from symlab_papers.documents.data import Data, curves, grid, significant
from symlab_papers.figures.model_b import KEYS, LOOP

PROCESSORS = 18
QUEUE, IDEAL = "array", "ideal"
SCHEMES = {
    "xchgb": "TAS",
    "read": "TTAS",
    "static-1": "static delay after a release, 1 slot",
    "static-16": "static delay after a release, 16 slots",
    "static-64": "static delay after a release, 64 slots",
    "backoff-slots": "backoff after a release",
    "backoff-slots-every": "backoff after every read",
    QUEUE: "array queue",
}
PARTS = {
    "elapsed_us_per_turn": "turn",
    LOOP: "loop, calls",
    "overhead_us_per_turn": "lock",
}
FREE = {"xchgb-backoff": "TAS with backoff", "read": "TTAS", "mcs": "MCS", QUEUE: "array queue"}


def tables(data: Data) -> dict[str, list[str]]:
    return {"b-locks": _locks(data), "b-acquire": _acquire(data), "b-barriers": _barriers(data)}


def numbers(data: Data) -> dict[str, str]:
    spin, quiesce = data.csv("model-b/spin"), data.csv("model-b/quiesce")
    turn_us = curves(spin, "scheme", "processors", "overhead_us_per_turn")
    others = [name for name in spin["scheme"].unique() if name not in (QUEUE, IDEAL)]
    # From this number of processors on, the array queue has the least overhead.
    cheapest = next(
        first
        for first in range(1, PROCESSORS + 1)
        if all(
            turn_us(QUEUE, p) < turn_us(other, p)
            for other in others
            for p in range(first, PROCESSORS + 1)
        )
    )
    settle_us = quiesce.set_index("processors")["elapsed_us_per_turn"]
    turns = data.csv("model-b/spin-runs")["turns"].iloc[0]
    episodes = data.csv("model-b/barriers-runs")["episodes"].iloc[0]
    per_spinner = (settle_us[PROCESSORS] - settle_us[1]) / (PROCESSORS - 1)
    return {
        "b-section": f"{spin['section_us'].iloc[0]:.2f}",
        "b-turns": f"{turns:,}",
        "b-episodes": f"{episodes:,}",
        "b-queue-cheapest": str(cheapest),
        "b-quiesce-1": f"{settle_us[1]:.1f}",
        "b-quiesce-18": f"{settle_us[PROCESSORS]:.1f}",
        "b-quiesce-each": f"{per_spinner:.2f}",
    }


def _locks(data: Data) -> list[str]:
    programs = ("spin", "arrive")
    found = pd.concat(
        data.csv(f"model-b/{program}").assign(program=program) for program in programs
    )
    columns = {(name, p): f"{name}, P = {p}" for name in programs for p in (1, PROCESSORS)}
    turn_us = curves(found, "scheme", ("program", "processors"), "overhead_us_per_turn")
    return grid("Lock", SCHEMES, columns, lambda *at: significant(turn_us(*at), 2))


def _acquire(data: Data) -> list[str]:
    """A row for each lock and section: the parts of a turn with one processor, and with many."""
    found = data.csv("model-b/acquire")
    rows = {
        (lock, section): f"{label}, {f'section of {section:g} us' if section else 'empty section'}"
        for lock, label in FREE.items()
        for section in sorted(found.loc[found["scheme"] == lock, "section_us"].unique())
    }
    columns = {
        (p, column): f"P = {p}: {title}" for p in (1, PROCESSORS) for column, title in PARTS.items()
    }
    values = found.melt(KEYS, list(PARTS), "part", "us")
    us = curves(values, ("scheme", "section_us"), ("processors", "part"), "us")
    return grid("Lock", rows, columns, lambda *at: f"{us(*at):.2f}")


def _barriers(data: Data) -> list[str]:
    found = data.csv("model-b/barriers")
    found = found[found["processors"] == PROCESSORS].sort_values("elapsed_us_per_turn")
    rows = zip(found["scheme"], found["elapsed_us_per_turn"], strict=True)
    return table(("Barrier", "Episode, us"), ((BARRIERS[s].label, f"{us:.0f}") for s, us in rows))
