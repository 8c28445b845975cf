# SPDX-License-Identifier: MIT
"""Schedules: what schedule.holds of a config says, as tuples that can be keys."""

import re
from typing import NamedTuple

from symlab.errors import UserError

ACCESS, INSTRUCTION = "access", "instruction"
HOLD, STORES, INTERRUPT = "hold", "stores", "interrupt"
ENTRY = re.compile(r"\s*(\d+) (access|instruction) (\d+) (?:(hold|stores) (\d+)|(interrupt))\s*")


class Entry(NamedTuple):
    """One entry: before its access number `position` (the first is 1), or after `position` retired
    instructions, processor `processor` is held, or its stores stay in the write buffer, for
    `delay_ns`; or the timer interrupts it. Positions count from the origin of the schedule."""

    processor: int
    at: str
    position: int
    action: str
    delay_ns: int = 0

    def __str__(self) -> str:
        delay = f" {self.delay_ns}" if self.action != INTERRUPT else ""
        return f"{self.processor} {self.at} {self.position} {self.action}{delay}"

    @property
    def key(self) -> tuple[int, str, int, str]:
        """The entry without its delay."""
        return self[:4]


Schedule = tuple[Entry, ...]


def text(schedule: Schedule) -> str:
    """The value of schedule.holds."""
    return ", ".join(map(str, schedule))


def parse(words: str) -> Schedule:
    """The schedule that `text` wrote. Raises UserError."""
    entries = []
    for word in words.split(",") if words.strip() else []:
        found = ENTRY.fullmatch(word)
        if not found:
            raise UserError(f"schedule {word.strip()!r}: expected PROCESSOR access N hold DELAY_NS")
        processor, at, position, action, delay, interrupt = found.groups()
        entries.append(
            Entry(int(processor), at, int(position), action or interrupt, int(delay or 0))
        )
    return tuple(entries)
