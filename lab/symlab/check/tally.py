# SPDX-License-Identifier: MIT
"""What is known after the runs so far: counts, worst cases, the first violation."""

from collections import Counter
from dataclasses import dataclass, field

from symlab.check.schedule import Schedule
from symlab.check.search import preemptions
from symlab.check.worker import Judged
from symlab.check.worst import Worst


@dataclass
class Tally:
    """`schedules`: runs. `orders`: distinct orders of accesses. `by_preemptions`: runs by number of
    preemptions. `unquiet`: runs in which others still made progress at the end of a hold, although
    it was lengthened. `outcomes`: runs by status and the last line that the program printed: for a
    litmus test, all that can happen within the bounds. `worst`: the schedule that shows each worst
    case, and its value."""

    schedules: int = 0
    orders: set[int] = field(default_factory=set)
    by_preemptions: Counter[int] = field(default_factory=Counter)
    lengthened: int = 0
    unquiet: int = 0
    outcomes: Counter[tuple[str, str]] = field(default_factory=Counter)
    violation: Judged | None = None
    worst: dict[str, tuple[int, Schedule]] = field(default_factory=dict)

    def add(self, judged: Judged) -> None:
        self.schedules += 1
        self.orders.add(judged.order)
        self.by_preemptions[preemptions(judged.schedule)] += 1
        self.outcomes[judged.status, judged.said] += 1
        self.lengthened += judged.ran != judged.schedule
        self.unquiet += judged.unquiet
        for name, value in zip(Worst._fields, judged.worst, strict=True):
            if value > self.worst.get(name, (0, ()))[0]:
                self.worst[name] = (value, judged.ran)
        if judged.violation and self.violation is None:
            self.violation = judged
