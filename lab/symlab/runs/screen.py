# SPDX-License-Identifier: MIT
"""Shows the progress of a sweep: a summary of the plan, then a live display at a terminal, or else
a line for each run that ends."""

import time
from collections import Counter
from collections.abc import Callable
from typing import Self

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from symlab.runs.estimate import Estimate
from symlab.runs.executing import Outcome, Watcher
from symlab.runs.failures import cause
from symlab.runs.plan import Reason, Task
from symlab.runs.planned import clock, estimate_of, planned_lines, to_do

MOST_ROWS = 20  # runs in progress that the table lists; further ones are only counted
REFRESHES_PER_S = 2
PLANNING_QUIET_S = 2.0  # host time after which the plan says how far it is
PLANNING_EVERY_S = 10.0
BAR_WIDTH = 60


class PlanningLine:
    """Shows how far the plan of a large sweep is: after PLANNING_QUIET_S, then every `every_s`.

    `show`: gets the number of planned points, that of all, and the same in words.
    """

    def __init__(
        self, show: Callable[[int, int, str], None], every_s: float = PLANNING_EVERY_S
    ) -> None:
        self._show = show
        self._every_s = every_s
        self._next_s = time.monotonic() + PLANNING_QUIET_S

    def update(self, done: int, points: int) -> None:
        now_s = time.monotonic()
        if now_s >= self._next_s:
            self._next_s = now_s + self._every_s
            self._show(done, points, f"planning: {done:,} of {points:,} points")

    @classmethod
    def on(cls, console: Console) -> Self:
        """Prints a line each time."""
        return cls(lambda done, points, words: console.print(words))


class Screen:
    """Context manager around a sweep that gets this object's `watcher`.

    The live display appears only if `console` is a terminal, which gets a line for each run that
    fails; a log file gets one for each that ends. `jobs`: runs at a time, None if not known.
    """

    def __init__(self, console: Console, jobs: int | None = None) -> None:
        self._jobs = jobs
        self._plan_text = ""
        plan_line = (
            PlanningLine(self._planning, 1 / REFRESHES_PER_S)
            if console.is_terminal
            else PlanningLine.on(console)
        )
        self.watcher = Watcher(plan_line.update, self._planned, self._started, self._ended)
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

    def __exit__(self, *_: object) -> None:
        self._live.stop()

    def table(self) -> Group:
        """The runs in progress with their elapsed host time, a bar, and a summary line."""
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
        parts: list[RenderableType] = [table] if running else []
        over = self._counts["finished"] + self._counts["failed"]
        bar = ProgressBar(total=max(len(self._labels), 1), completed=over, width=BAR_WIDTH)
        lines = Table.grid()  # a bar alone does not end its line
        lines.add_row(bar)
        lines.add_row(Text(self._summary(now_s)))
        return Group(*parts, lines)

    def _summary(self, now_s: float) -> str:
        if self._plan_text:
            return self._plan_text
        over = self._counts["finished"] + self._counts["failed"]
        counts = [f"{self._counts[what]} {what}" for what in ("finished", "failed", "kept")]
        running = len(self._estimate.running)
        remaining_s = self._estimate.remaining_s(now_s)
        left = "unknown" if remaining_s is None else f"about {clock(remaining_s)}"
        return (
            f"{over}/{len(self._labels)} runs: {running} running, {', '.join(counts)}; "
            f"{clock(now_s - self._begin_s)} elapsed, {left} left"
        )

    def _planning(self, done: int, points: int, words: str) -> None:
        self._plan_text = words

    def _planned(self, tasks: list[Task]) -> None:
        self._plan_text = ""
        self._counts["kept"] = sum(task.reason is Reason.KEPT for task in tasks)
        self._estimate = estimate_of(tasks)
        self._labels = {task.name: task.point.label for task in to_do(tasks)}
        for line in planned_lines(tasks, self._jobs):
            self._console.print(line, markup=False)

    def _started(self, task: Task, where: str) -> None:
        self._where[task.name] = where
        self._estimate.start(task.name, time.monotonic())

    def _ended(self, task: Task, outcome: Outcome) -> None:
        finished = outcome.status == "finished"
        self._counts["finished" if finished else "failed"] += 1
        self._estimate.end(task.name, time.monotonic(), finished)
        if finished and self._console.is_terminal:
            return
        why = "" if finished else cause(outcome.status, outcome.message, outcome.folder)
        line = f"{outcome.status:<10} {task.point.label}  {why}".rstrip()
        self._console.print(line, markup=False)
