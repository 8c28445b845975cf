# SPDX-License-Identifier: MIT
"""What a planned sweep will do: how many runs, why, and for how long."""

from collections import defaultdict
from dataclasses import dataclass, field
from datetime import timedelta

from symlab.runs.plan import Reason, Task

MOST_GROUPS = 6  # different reasons that are listed; further ones are only counted


@dataclass
class Estimate:
    """Remaining time of a sweep, if a run's host time is proportional to its point's weight. The
    factor comes from the runs that have finished, now or in an earlier sweep. All times are host
    seconds of one clock."""

    waiting: dict[str, float] = field(default_factory=dict)  # name -> weight
    running: dict[str, float] = field(default_factory=dict)  # name -> when it started
    _weights: dict[str, float] = field(default_factory=dict)
    _finished_weight: float = 0.0
    _finished_s: float = 0.0

    def learn(self, weight: float, took_s: float) -> None:
        """Takes the host time of a run that an earlier sweep has made."""
        self._finished_weight += weight
        self._finished_s += took_s

    def add(self, name: str, weight: float) -> None:
        self.waiting[name] = self._weights[name] = weight

    def start(self, name: str, now_s: float) -> None:
        """A run begins, or begins again on another host."""
        self.waiting.pop(name, None)
        self.running[name] = now_s

    def end(self, name: str, now_s: float, finished: bool) -> None:
        """A run ends. The time of a failed run does not count for the estimate."""
        self.waiting.pop(name, None)
        started_s = self.running.pop(name, None)
        if finished and started_s is not None:
            self.learn(self._weights[name], now_s - started_s)

    def total_s(self, jobs: int) -> float | None:
        """Estimated host seconds of the waiting runs with `jobs` at a time; None if unknown."""
        if not self._finished_weight:
            return None if self.waiting else 0.0
        second_per_weight = self._finished_s / self._finished_weight
        weights = self.waiting.values()
        return second_per_weight * max(sum(weights) / jobs, max(weights, default=0.0))

    def remaining_s(self, now_s: float) -> float | None:
        """Estimated host seconds until the sweep ends; None while nothing is known or runs. Assumes
        that as many runs at a time continue as now. The result is at least the remaining time of
        the longest run in progress."""
        if not self._finished_weight or not self.running:
            return None if self.waiting or self.running else 0.0
        second_per_weight = self._finished_s / self._finished_weight
        left = [
            max(self._weights[name] * second_per_weight - (now_s - started_s), 0.0)
            for name, started_s in self.running.items()
        ]
        work_s = sum(left) + sum(self.waiting.values()) * second_per_weight
        return max(work_s / len(self.running), *left)


def estimate_of(tasks: list[Task]) -> Estimate:
    """The estimate of a sweep's time. It knows what the kept runs took."""
    estimate = Estimate()
    for task in tasks:
        if task.took_s is not None:
            estimate.learn(task.point.weight, task.took_s)
    for task in to_do(tasks):
        estimate.add(task.name, task.point.weight)
    return estimate


def to_do(tasks: list[Task]) -> list[Task]:
    """The tasks that need a run, one of those that share a run."""
    missing = (t for t in tasks if t.reason not in (Reason.KEPT, Reason.INVALID))
    return list({task.name: task for task in missing}.values())


def planned_lines(tasks: list[Task], jobs: int | None) -> list[str]:
    """The first line has the numbers and the estimated time; then a line for each reason to make
    runs, or why points are invalid. `jobs`: runs at a time, None if not known."""
    runs = to_do(tasks)
    counts = [f"{sum(t.reason is Reason.KEPT for t in tasks)} kept", f"{len(runs)} to do"]
    if invalid := [task for task in tasks if task.reason is Reason.INVALID]:
        counts.append(f"{len(invalid)} invalid")
    lines = [f"{len(tasks)} points: {', '.join(counts)}{_duration(tasks, jobs)}"]
    groups: dict[str, list[Task]] = defaultdict(list)
    for task in [*runs, *invalid]:
        groups[task.why.strip().splitlines()[0]].append(task)
    if list(groups) == [Reason.NEW]:
        return lines
    for why, those in list(groups.items())[:MOST_GROUPS]:
        more = f", and {len(those) - 1} more" if len(those) > 1 else ""
        lines.append(f"  {len(those)} {why} ({those[0].point.label}{more})")
    if len(groups) > MOST_GROUPS:
        lines.append(f"  and {len(groups) - MOST_GROUPS} more reasons")
    return lines


def _duration(tasks: list[Task], jobs: int | None) -> str:
    total_s = estimate_of(tasks).total_s(jobs or 1)
    if not to_do(tasks):
        return ""
    if total_s is None:
        return "; time unknown until the first run has ended"
    each = f"{jobs} at a time" if jobs else "one at a time"
    return f"; about {clock(total_s)}, {each}"


def clock(seconds: float) -> str:
    """The time as hours, minutes and seconds: 1:02:03."""
    return str(timedelta(seconds=round(seconds)))
