# SPDX-License-Identifier: MIT
"""Counts the runs of a sweep and shows them: a summary of the plan, then a live display at a
terminal, a bar in a notebook, or else a line for each run that ends."""

import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import escape
from typing import Any, Self

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from symlab.runs.executing import Outcome, Watcher
from symlab.runs.failures import cause
from symlab.runs.plan import Planning, Reason, Task
from symlab.runs.planned import Estimate, clock, estimate_of, planned_lines, to_do

MOST_ROWS = 20  # runs in progress that the table lists; further ones are only counted
REFRESHES_PER_S = 2
PLANNING_QUIET_S = 2.0  # host time after which the plan says how far it is
PLANNING_EVERY_S = 10.0
BAR_WIDTH = 60


def planning_line(show: Callable[[str], None], every_s: float = PLANNING_EVERY_S) -> Planning:
    """Shows how far the plan of a large sweep is: after PLANNING_QUIET_S, then every `every_s`."""
    next_s = time.monotonic() + PLANNING_QUIET_S

    def update(done: int, points: int) -> None:
        nonlocal next_s
        now_s = time.monotonic()
        if now_s >= next_s:
            next_s = now_s + every_s
            show(f"planning: {done:,} of {points:,} points")

    return update


class Progress:
    """Counts the runs of the sweep that gets this object's `watcher`. `labels`: of the runs to
    make. `ended_runs`: the names of those that have ended."""

    def __init__(self, planning: Planning) -> None:
        self.watcher = Watcher(planning, self.planned, self.started, self.ended)
        self.labels: dict[str, str] = {}
        self.ended_runs: set[str] = set()
        self.counts: Counter[str] = Counter()
        self.estimate = Estimate()
        self._begin_s = time.monotonic()

    def planned(self, tasks: list[Task]) -> None:
        self.counts["kept"] = sum(task.reason is Reason.KEPT for task in tasks)
        self.counts["failed"] = sum(task.reason is Reason.INVALID for task in tasks)
        self.estimate = estimate_of(tasks)
        self.labels = {task.name: task.point.label for task in to_do(tasks)}
        self.changed()

    def started(self, task: Task, where: str) -> None:
        self.estimate.start(task.name, time.monotonic())
        self.changed()

    def ended(self, task: Task, outcome: Outcome) -> None:
        finished = outcome.status == "finished"
        self.ended_runs.add(task.name)
        self.counts["finished" if finished else "failed"] += 1
        self.estimate.end(task.name, time.monotonic(), finished)
        self.changed()

    def changed(self) -> None:
        """Called after each change of the counts."""

    def summary(self) -> str:
        now_s = time.monotonic()
        counts = [f"{len(self.estimate.running)} running"]
        counts += [f"{self.counts[what]} {what}" for what in ("finished", "failed", "kept")]
        remaining_s = self.estimate.remaining_s(now_s)
        left = "unknown" if remaining_s is None else f"about {clock(remaining_s)}"
        return (
            f"{len(self.ended_runs)}/{len(self.labels)} runs: {', '.join(counts)}; "
            f"{clock(now_s - self._begin_s)} elapsed, {left} left"
        )


class Screen(Progress):
    """Context manager around a sweep that gets this object's `watcher`.

    The live display appears only if `console` is a terminal, which gets a line for each run that
    fails; a log file gets one for each that ends. `jobs`: runs at a time, None if not known.
    `whole`: how far all sweeps are of which this is one, for the display. `verbose`: a terminal
    gets the line for each run that ends, too.
    """

    def __init__(
        self,
        console: Console,
        jobs: int | None = None,
        whole: Callable[[], str] | None = None,
        verbose: bool = False,
    ) -> None:
        super().__init__(
            planning_line(self._planning, 1 / REFRESHES_PER_S)
            if console.is_terminal
            else planning_line(console.print)
        )
        self._jobs = jobs
        self._whole = whole
        self._each = verbose or not console.is_terminal
        self._plan_text = ""
        self._console = console
        self._where: dict[str, str] = {}
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
        running = sorted(list(self.estimate.running.items()), key=lambda item: item[1])
        for name, started_s in running[:MOST_ROWS]:
            where = self._where.get(name, "")
            table.add_row(Text(self.labels[name]), clock(now_s - started_s), Text(where))
        if len(running) > MOST_ROWS:
            table.add_row(f"and {len(running) - MOST_ROWS} more", "", "")
        parts: list[RenderableType] = [table] if running else []
        total, over = max(len(self.labels), 1), len(self.ended_runs)
        bar = ProgressBar(total=total, completed=over, width=BAR_WIDTH)
        lines = Table.grid()  # a bar alone does not end its line
        lines.add_row(bar)
        lines.add_row(Text(self._plan_text or self.summary()))
        if self._whole is not None:
            lines.add_row(Text(f"all sweeps: {self._whole()}"))
        return Group(*parts, lines)

    def _planning(self, words: str) -> None:
        self._plan_text = words

    def planned(self, tasks: list[Task]) -> None:
        super().planned(tasks)
        self._plan_text = ""
        for line in planned_lines(tasks, self._jobs):
            self._console.print(line, markup=False)

    def started(self, task: Task, where: str) -> None:
        super().started(task, where)
        self._where[task.name] = where

    def ended(self, task: Task, outcome: Outcome) -> None:
        super().ended(task, outcome)
        finished = outcome.status == "finished"
        if finished and not self._each:
            return
        why = "" if finished else cause(outcome.status, outcome.message, outcome.folder)
        line = f"{outcome.status:<10} {task.point.label}  {why}".rstrip()
        self._console.print(line, markup=False)


UPDATE_S = 0.5  # host time between two updates while the sweep is planned


class NotebookBar(Progress):
    """A bar that IPython's function `display` shows."""

    def __init__(self, display: Any) -> None:
        super().__init__(planning_line(self._show, UPDATE_S))
        self._place = display({"text/plain": ""}, raw=True, display_id=True)

    def _show(self, words: str) -> None:
        over, total = len(self.ended_runs), len(self.labels) or 1
        bar = f'<progress value="{over}" max="{total}"></progress>'
        shown = {"text/html": f"{bar} {escape(words)}", "text/plain": words}
        self._place.update(shown, raw=True)

    def changed(self) -> None:
        self._show(self.summary())


@contextmanager
def progress_bar(wanted: bool | None, jobs: int | None) -> Iterator[Watcher]:
    """The watcher of a sweep with a bar. `wanted`: None, only at a terminal or in a notebook.
    `jobs`: runs at a time, None if not known."""
    display = _notebook_display()
    if wanted is False or (wanted is None and display is None and not sys.stderr.isatty()):
        yield Watcher()
    elif display is not None:
        yield NotebookBar(display).watcher
    else:
        with Screen(Console(stderr=True), jobs) as screen:
            yield screen.watcher


def _notebook_display() -> Any:
    """IPython's function `display` in a notebook; None elsewhere, and in IPython's own shell."""
    ipython = sys.modules.get("IPython")  # a notebook's kernel has imported it
    shell = ipython.get_ipython() if ipython else None
    return ipython.display.display if ipython and hasattr(shell, "kernel") else None
