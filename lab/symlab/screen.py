# SPDX-License-Identifier: MIT
"""Shows the progress of a sweep: one line per point and, at a terminal, a live table below."""

import time
from collections import Counter
from datetime import timedelta
from types import TracebackType
from typing import Self

from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from symlab.estimate import Estimate
from symlab.executing import Outcome, Watcher
from symlab.plan import Reason, Task

MOST_ROWS = 20  # runs in progress that the table lists; further ones are only counted
REFRESHES_PER_S = 2


class Screen:
    """Context manager around a sweep that gets this object's `watcher`.

    The live table appears only if `console` is a terminal; a log file gets just the lines.
    """

    def __init__(self, console: Console) -> None:
        self.watcher = Watcher(self._planned, self._started, self._ended)
        self._console = console
        self._labels: dict[str, str] = {}
        self._where: dict[str, str] = {}
        self._counts: Counter[str] = Counter()
        self._estimate = Estimate()
        self._begin_s = time.monotonic()
        self._live = Live(
            console=console,
            get_renderable=self.table,
            refresh_per_second=REFRESHES_PER_S,
            transient=True,
        )

    def __enter__(self) -> Self:
        if self._console.is_terminal:
            self._live.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._live.stop()

    def table(self) -> Group:
        """The runs in progress with their elapsed host time, and a summary line."""
        now_s = time.monotonic()
        table = Table(box=None, pad_edge=False)
        for column in ("running", "elapsed", "on"):
            table.add_column(column)
        running = sorted(list(self._estimate.running.items()), key=lambda item: item[1])
        for name, started_s in running[:MOST_ROWS]:
            where = self._where.get(name, "")
            table.add_row(Text(self._labels[name]), clock(now_s - started_s), Text(where))
        if len(running) > MOST_ROWS:
            table.add_row(f"and {len(running) - MOST_ROWS} more", "", "")
        parts = [table] if running else []
        return Group(*parts, Text(self._summary(now_s)))

    def _summary(self, now_s: float) -> str:
        over = self._counts["finished"] + self._counts["failed"]
        counts = [f"{self._counts[what]} {what}" for what in ("finished", "failed", "kept")]
        running = len(self._estimate.running)
        remaining_s = self._estimate.remaining_s(now_s)
        left = "unknown" if remaining_s is None else f"about {clock(remaining_s)}"
        return (
            f"{over}/{len(self._labels)} runs: {running} running, {', '.join(counts)}; "
            f"{clock(now_s - self._begin_s)} elapsed, {left} left"
        )

    def _planned(self, tasks: list[Task]) -> None:
        for task in tasks:
            if task.reason is Reason.KEPT:
                self._counts["kept"] += 1
                self._line("kept", task.point.label, task.detail)
            elif task.reason is Reason.INVALID:
                self._line("invalid", task.point.label, task.detail)
            else:
                self._line("to run", task.point.label, task.why)
                self._labels[task.name] = task.point.label
                self._estimate.add(task.name, task.point.weight)
        self._console.print(f"{len(tasks)} points, {len(self._labels)} to run")

    def _started(self, task: Task, where: str) -> None:
        self._where[task.name] = where
        self._estimate.start(task.name, time.monotonic())

    def _ended(self, task: Task, outcome: Outcome) -> None:
        finished = outcome.status == "finished"
        self._counts["finished" if finished else "failed"] += 1
        self._estimate.end(task.name, time.monotonic(), finished)
        self._line(outcome.status, task.point.label, outcome.message)

    def _line(self, what: str, label: str, detail: str) -> None:
        first = detail.strip().splitlines()[0] if detail.strip() else ""
        self._console.print(f"{what:<10} {label}  {first}".rstrip(), markup=False)


def clock(seconds: float) -> str:
    """The time as hours, minutes and seconds: 1:02:03."""
    return str(timedelta(seconds=round(seconds)))
