# SPDX-License-Identifier: MIT
"""Estimates the remaining time of a sweep from the weights of its points."""

from dataclasses import dataclass, field


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
