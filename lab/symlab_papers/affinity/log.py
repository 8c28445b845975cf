# SPDX-License-Identifier: MIT
"""The log of affinity that a guest prints (guest/include/affinity_log.h)."""

from dataclasses import dataclass, field
from typing import NamedTuple

from symlab.errors import UserError


class Seen(NamedTuple):
    """A thread that ran last on the processor of a start. `starts`: 1 if it is the one that starts.
    `periods`: those that it has begun. `lines`: of its data in the processor's cache. `words`: what
    the guest's model keeps of it."""

    number: int
    starts: int
    periods: int
    lines: int
    words: tuple[int, int]


@dataclass
class Start:
    """A start of a thread on a processor. Times in us; misses are the processor's count.

    `now_us`, `misses`: now. `stop_us`, `stop_misses`: when the thread before stopped; 0 if none
    did. `begin_us`, `begin_misses`: when this one begins to run, after the log was written. `word`:
    of the guest's model.
    """

    processor: int
    now_us: int
    misses: int
    word: int
    seen: list[Seen] = field(default_factory=list)
    stop_us: int = 0
    stop_misses: int = 0
    begin_us: int = 0
    begin_misses: int = 0


@dataclass(frozen=True)
class Log:
    """`sizes`: number of a thread -> lines of its data. `starts`: in order of time."""

    sizes: dict[int, int]
    starts: list[Start]


def read_log(text: str) -> Log:
    """Raises UserError at a line that is none of the log."""
    sizes: dict[int, int] = {}
    starts: list[Start] = []
    for line in text.splitlines():
        match line.split():
            case ["thread", number, size]:
                sizes[_int(number, line)] = _int(size, line)
            case ["start", *values] if len(values) == 4:
                processor, at_us, count, word = (_int(value, line) for value in values)
                starts.append(Start(processor, at_us, count, word))
            case ["stop", now_us, misses] if starts:
                start = starts[-1]
                start.stop_us, start.stop_misses = _int(now_us, line), _int(misses, line)
            case ["begin", now_us, misses] if starts:
                start = starts[-1]
                start.begin_us, start.begin_misses = _int(now_us, line), _int(misses, line)
            case [*values] if len(values) == 6 and starts:
                thread, begins, periods, lines, *words = (_int(value, line) for value in values)
                starts[-1].seen.append(Seen(thread, begins, periods, lines, (words[0], words[1])))
            case _:
                raise UserError(f"{line!r} is not a line of a log of affinity")
    return Log(sizes, sorted(starts, key=lambda start: start.now_us))


def _int(word: str, line: str) -> int:
    if not word.isdigit():
        raise UserError(f"{line!r} is not a line of a log of affinity: {word!r} is not a number")
    return int(word)


def yet_to_run(start: Start) -> list[Seen]:
    """The threads between which the processor had to choose: those that wait for their next period.

    Threads run once a round. Those that have begun fewer periods than others of the processor wait
    for theirs; if all have begun as many, a round begins and all wait. Empty if the thread that
    starts is new on the processor, which is not a choice between those that have run there.
    """
    if not any(thread.starts for thread in start.seen):
        return []
    begun = [thread.periods for thread in start.seen]
    all_wait = min(begun) == max(begun)
    return [thread for thread in start.seen if all_wait or thread.periods < max(begun)]
