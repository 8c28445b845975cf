# SPDX-License-Identifier: MIT
"""One locked exchange on the bus, and that of another processor which it blocks, clock by clock."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
from symlab.plot.curves import chosen

from symlab_tools.pictures.runs import QUICKSTART, traced, uses_of
from symlab_tools.svg import Drawing

CYCLE_PS = 100_000  # of the 10 MHz bus
BLOCKED_PS = 1_000_000  # a request that waits longer than this is blocked by a lock
LOGGED_US = 700  # by then the first exchange has been blocked
BEFORE, CYCLES = 4, 48  # bus cycles before the first grant; in the picture
LEFT, CYCLE = 128.0, 16.0  # x of the first cycle; pixels per cycle
RIGHT = LEFT + CYCLE * CYCLES
WIDTH = RIGHT + 20

STATES = {
    "executing": ("executes", "pale"),
    "waiting": ("waits for the bus", "amber"),
    "served": ("waits for the transaction", "mid"),
}
# Words under a use of the bus; else its kind. Those of a locked store name its unlock, too.
WORDS = {"locked_read": "locked read", "locked_store": "locked store, unlock", "unlock": ""}


@dataclass(frozen=True)
class Exchange:
    """What is drawn, in bus cycles after `begin_us`. `uses` of the bus: processor, kind, reply,
    begin, length. `states`: processor, state, begin, end. `locks`: processor, begin, end."""

    begin_us: float
    config: Mapping[str, Any]
    uses: pd.DataFrame
    states: pd.DataFrame
    locks: pd.DataFrame


def simulate(folder: Path) -> Exchange:
    """Runs the quickstart with two processors and the lock backoff; returns the first locked
    exchange of processor 1 that blocks one of processor 0."""
    settings = {
        "machine.processors": 2,
        "guest.args.lock": "backoff",
        "observe.window.to_us": LOGGED_US,
    }
    run = traced(folder, QUICKSTART, settings)
    assert run.log
    bus, states = run.log.bus, run.log.states
    reads = chosen(bus, reply=False, kind="locked_read")
    waited = reads["grant_ps"] - reads["posted_ps"] > BLOCKED_PS
    blocked = reads[waited & (reads["processor"] == 0)].iloc[0]
    owner = reads[(reads["processor"] == 1) & (reads["grant_ps"] < blocked["grant_ps"])].iloc[-1]
    begin = int(owner["grant_ps"]) - BEFORE * CYCLE_PS

    def cycles(times: pd.Series) -> pd.Series:
        return (times - begin) / CYCLE_PS

    uses = with_unlocks(uses_of(bus, begin, CYCLE_PS), run.config["bus.unlock_cycles"])
    uses = uses[(uses["begin"] >= 0) & (uses["begin"] + uses["length"] <= CYCLES)]
    locked = chosen(uses, kind="locked_read", reply=False)
    ends = []
    for who, at in zip(locked["processor"], locked["begin"], strict=True):
        after = chosen(uses[uses["begin"] > at], kind="unlock", processor=who)
        ends.append(float((after["begin"] + after["length"]).min()))
    spans = (
        states[["processor", "state"]]
        .astype({"processor": int, "state": str})
        .assign(
            begin=cycles(states["start_ps"]).clip(lower=0),
            end=cycles(states["end_ps"]).clip(upper=CYCLES),
        )
    )
    return Exchange(
        begin / 1e6,
        run.config,
        uses.reset_index(drop=True),
        spans[spans["begin"] < spans["end"]].reset_index(drop=True),
        locked.assign(end=ends)[["processor", "begin", "end"]].reset_index(drop=True),
    )


def with_unlocks(uses: pd.DataFrame, cycles: int) -> pd.DataFrame:
    """The uses of the bus with the unlock cycles apart that follow locked stores in their grants
    (bus.unlock = with-store)."""
    stores = uses["kind"] == "locked_store"
    length = uses["length"] - cycles * stores
    unlocks = uses[stores].assign(kind="unlock", begin=(uses["begin"] + length)[stores])
    together = pd.concat([uses.assign(length=length), unlocks.assign(length=float(cycles))])
    return together.sort_values("begin", kind="stable", ignore_index=True)


def x_of(cycle: float) -> float:
    return LEFT + CYCLE * cycle


def draw(exchange: Exchange) -> str:
    picture = Drawing(
        WIDTH, 470, "A locked exchange on the bus",
        "Processor 1 reads, stores and unlocks a line. Processor 0's locked read of the same line "
        "waits until the unlock; transactions for other lines do not wait.",
    )  # fmt: skip
    about = "Two processors want the same lock, with backoff; Model A"
    rows = "xchgb of P1: locked read, locked store, unlock. P0 waits until the line is unlocked."
    picture.heading(about, rows)
    _clock(picture, exchange.begin_us)
    for cycle in range(0, CYCLES + 1):
        picture.line([(x_of(cycle), 98), (x_of(cycle), 402)], "pale")
    _states(picture, exchange, 1, 112)
    _uses(picture, exchange, 1, 146)
    _lengths(picture, exchange, 204)
    _row(picture, 287, "line locked by")
    lock: Any
    for lock in exchange.locks.itertuples():
        length = lock.end - lock.begin
        picture.box(x_of(lock.begin), 272, CYCLE * length, 22, "red-pale", "red", round=3)
        middle = x_of((lock.begin + lock.end) / 2)
        picture.text(middle, 288, f"P{lock.processor}", anchor="middle")
    _uses(picture, exchange, 0, 318)
    _states(picture, exchange, 0, 374)
    picture.text(20, 448, "A processor", "dim", 12)
    picture.legend(LEFT, 448, STATES.values(), 60, 6.6)
    return picture.svg()


def _row(picture: Drawing, y: float, words: str, bold: bool = False) -> None:
    picture.text(LEFT - 12, y, words, anchor="end", bold=bold)


def _clock(picture: Drawing, begin_us: float) -> None:
    _row(picture, 90, "bus clock")
    points = []
    for cycle in range(CYCLES):
        high, low = 78.0, 92.0
        rise, fall, end = x_of(cycle), x_of(cycle + 0.5), x_of(cycle + 1)
        points += [(rise, low), (rise, high), (fall, high), (fall, low), (end, low)]
    picture.line(points, "dim")
    for cycle in range(0, CYCLES + 1, 5):
        words = f"{begin_us + cycle / 10:.1f}"
        picture.text(x_of(cycle), 418, words + (" us" if cycle == 0 else ""), "dim", 12, "middle")


def _states(picture: Drawing, exchange: Exchange, processor: int, y: float) -> None:
    _row(picture, y + 15, f"processor {processor}", bold=True)
    row: Any
    for row in chosen(exchange.states, processor=processor).itertuples():
        length = row.end - row.begin
        picture.box(x_of(row.begin), y, CYCLE * length, 20, STATES[row.state][1], "card")
        if row.state == "waiting" and length > BLOCKED_PS / CYCLE_PS:
            middle = x_of((row.begin + row.end) / 2)
            picture.text(middle, y + 15, "blocked: the line is locked", "on-amber", 12, "middle")


def _uses(picture: Drawing, exchange: Exchange, processor: int, y: float) -> None:
    _row(picture, y + 16, f"bus, used by P{processor}")
    use: Any
    for use in chosen(exchange.uses, processor=processor).itertuples():
        picture.box(x_of(use.begin), y, CYCLE * use.length, 22, f"kind-{use.kind}", "card")
        words = "reply" if use.reply else WORDS.get(use.kind, use.kind)
        if words:
            middle = x_of(use.begin + use.length / 2)
            picture.text(middle, y + 37, words, size=12, anchor="middle")


def _lengths(picture: Drawing, exchange: Exchange, y: float) -> None:
    """The parts of processor 1's exchange in bus cycles, and the config's keys that set them."""
    config = exchange.config

    def first(kind: str) -> float:
        return float(chosen(exchange.uses, processor=1, kind=kind)["begin"].iloc[0])

    parts = {
        "request": config["bus.request_cycles"],
        "memory": config["memory.latency_cycles"],
        "line": config["cache.line_bytes"] // config["bus.width_bytes"],
        "synchronise": config["bus.synchronise_cycles"],
    }
    _row(picture, y + 9, "bus cycles")
    at = first("locked_read")
    picture.text(x_of(at), y + 40, ", ".join(parts), size=12)
    for cycles in parts.values():
        _length(picture, y, at, cycles, f"{cycles}")
        at += cycles
    complete = config["bus.store_completion_cycles"]
    _length(picture, y, first("locked_store"), complete, f"{complete} until the store is complete")


def _length(picture: Drawing, y: float, begin: float, cycles: float, words: str) -> None:
    left, right = x_of(begin), x_of(begin + cycles)
    for x in (left, right):
        picture.line([(x, y), (x, y + 10)], "ink")
    picture.line([(left, y + 5), (right, y + 5)], "ink")
    picture.text((left + right) / 2, y + 22, words, size=12, anchor="middle")
