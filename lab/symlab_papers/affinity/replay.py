# SPDX-License-Identifier: MIT
"""What each affinity model would know of the threads of one run, whichever model had ordered them.

Models that see the same threads in the same states can be compared. The log has all that any of the
models asks for: times, misses, and who ran when. The models are those of guest/threads/affinity/,
in floating point; a test compares them with what the guest's own model kept.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from symlab_papers.affinity import equations
from symlab_papers.affinity.log import Log, Seen, Start, yet_to_run

# Those of guest/threads/affinity/, and the order by the lines that Reload thinks a thread has.
GUESTS = ("none", "vtime", "hyperbolic", "exponential", "cmisses", "cmsum", "reload")
BY_LINES = "lines"
MODELS = (*GUESTS, BY_LINES)
HALF_US = 1000  # AGE_HALF_US of guest/threads/affinity/exponential.h
TICK_US = 1  # of the guest's clock: a thread that has just stopped waits for this long


@dataclass
class Kept:
    """What is known of a thread that has stopped on `processor`. `stopped`: how many threads had
    stopped there before. `ran_us`, `period_misses`: of its last period. `sum_misses`: of all.
    `footprint`: lines when it stopped, by Equations 7 and 9."""

    processor: int
    stopped: int = 0
    ran_us: int = 0
    stopped_us: int = 0
    period_misses: int = 0
    sum_misses: int = 0
    footprint: float = 0.0
    misses: int = 0  # the processor's count when it stopped

    def left(self, lines: int, misses: int) -> float:
        """Equation 9, when the processor's count is `misses`."""
        return float(equations.lines_left(lines, self.footprint, misses - self.misses))


def priorities(kept: Kept, start: Start, lines: int) -> dict[str, float]:
    """Model -> the priority of a thread at a start: the higher is to run first."""
    waited_us = max(start.now_us - kept.stopped_us, TICK_US)
    left = kept.left(lines, start.misses)
    return {
        "none": -float(kept.stopped),
        "vtime": float(kept.stopped),
        "hyperbolic": kept.ran_us / waited_us,
        "exponential": kept.ran_us * 0.5 ** (waited_us / HALF_US),
        "cmisses": float(kept.period_misses),
        "cmsum": float(kept.sum_misses),
        "reload": -float(equations.transient_from(lines, kept.footprint, left)),
        BY_LINES: left,
    }


def estimates(kept: Kept, start: Start, lines: int) -> dict[str, float]:
    """Model -> the lines that it thinks the thread has; of models that count misses. A miss brings
    a line, so their misses are lines, but no more than the cache has."""
    return {
        "cmisses": float(min(kept.period_misses, lines)),
        "cmsum": float(min(kept.sum_misses, lines)),
        "reload": kept.left(lines, start.misses),
    }


def replay(log: Log, lines: int) -> Iterator[tuple[Start, list[tuple[Seen, Kept]]]]:
    """Each start with the threads that wait for their period, and what is known of them then.
    Starts without any are left out. `lines`: of the cache."""
    kept: dict[int, Kept] = {}
    before: dict[int, Start] = {}
    stops: dict[int, int] = {}
    for start in log.starts:
        here = start.processor
        if here in before and (number := _ran(before[here], start, kept)) is not None:
            stops[here] = stops.get(here, 0) + 1
            kept[number] = _stopped(kept.get(number), before[here], start, stops[here], lines)
        before[here] = start
        waiting = [(seen, kept[seen.number]) for seen in yet_to_run(start) if seen.number in kept]
        if waiting:
            yield start, waiting


def _ran(before: Start, start: Start, kept: dict[int, Kept]) -> int | None:
    """Who ran between two starts on a processor; None if it is a thread that is not logged. At its
    first start here a thread is not seen, so it is the one that is seen from then on."""
    started = [seen.number for seen in before.seen if seen.starts]
    if not started:
        known = {seen.number for seen in before.seen}
        started = [seen.number for seen in start.seen if seen.number not in known]
    return started[0] if started else None


def _stopped(old: Kept | None, before: Start, start: Start, stops: int, lines: int) -> Kept:
    """A thread has run since the start `before`, and has stopped before `start`."""
    misses = start.stop_misses - before.begin_misses
    back = old is not None and old.processor == start.processor
    left = old.left(lines, before.begin_misses) if old is not None and back else 0.0
    return Kept(
        processor=start.processor,
        stopped=stops,
        ran_us=start.stop_us - before.begin_us,
        stopped_us=start.stop_us,
        period_misses=misses,
        sum_misses=misses + (old.sum_misses if old is not None else 0),
        footprint=float(equations.lines_held(lines, left, misses)),
        misses=start.stop_misses,
    )
