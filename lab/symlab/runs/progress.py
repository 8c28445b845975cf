# SPDX-License-Identifier: MIT
"""The progress bar of `sweep()`, at a terminal and in a notebook."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import escape
from typing import Any

import rich.progress
from rich.console import Console

from symlab.runs.estimate import Estimate
from symlab.runs.executing import Outcome, Watcher
from symlab.runs.plan import Reason, Task
from symlab.runs.planned import clock, estimate_of, to_do
from symlab.runs.screen import PlanningLine

UPDATE_S = 0.5  # host time between two updates while the sweep is planned

# Shows the state of a sweep: runs that are over, runs to make, the same in words.
Show = Callable[[int, int, str], None]


class Progress:
    """Counts the runs of the sweep that gets this object's `watcher`, and shows the counts."""

    def __init__(self, show: Show) -> None:
        plan_line = PlanningLine(show, UPDATE_S)
        self.watcher = Watcher(plan_line.update, self._planned, self._started, self._ended)
        self._show = show
        self._kept = self._total = self._over = self._failed = 0
        self._estimate = Estimate()
        self._begin_s = time.monotonic()

    def _planned(self, tasks: list[Task]) -> None:
        self._kept = sum(task.reason is Reason.KEPT for task in tasks)
        self._failed = sum(task.reason is Reason.INVALID for task in tasks)
        self._estimate = estimate_of(tasks)
        self._total = len(to_do(tasks))
        self._update()

    def _started(self, task: Task, where: str) -> None:
        self._estimate.start(task.name, time.monotonic())
        self._update()

    def _ended(self, task: Task, outcome: Outcome) -> None:
        finished = outcome.status == "finished"
        self._over += 1
        self._failed += not finished
        self._estimate.end(task.name, time.monotonic(), finished)
        self._update()

    def _update(self) -> None:
        now_s = time.monotonic()
        words = [f"{self._over}/{self._total} runs"]
        words += [f"{self._kept} kept"] if self._kept else []
        words += [f"{self._failed} failed"] if self._failed else []
        words.append(f"{clock(now_s - self._begin_s)} elapsed")
        if remaining_s := self._estimate.remaining_s(now_s):
            words.append(f"about {clock(remaining_s)} left")
        self._show(self._over, self._total, ", ".join(words))


@contextmanager
def progress_bar(wanted: bool | None) -> Iterator[Watcher]:
    """The watcher of a sweep with a bar. `wanted`: None, only at a terminal or in a notebook."""
    display = _notebook_display()
    if wanted is False or (wanted is None and display is None and not sys.stderr.isatty()):
        yield Watcher()
    elif display is not None:
        yield Progress(_in_notebook(display)).watcher
    else:
        with _at_terminal() as show:
            yield Progress(show).watcher


def _notebook_display() -> Any:
    """IPython's function `display` in a notebook; None elsewhere, and in IPython's own shell."""
    ipython = sys.modules.get("IPython")  # a notebook's kernel has imported it
    shell = ipython.get_ipython() if ipython else None
    return ipython.display.display if ipython and hasattr(shell, "kernel") else None


def _in_notebook(display: Any) -> Show:
    place = display({"text/plain": ""}, raw=True, display_id=True)

    def show(over: int, total: int, words: str) -> None:
        bar = f'<progress value="{over}" max="{total or 1}"></progress> {escape(words)}'
        place.update({"text/html": bar, "text/plain": words}, raw=True)

    return show


@contextmanager
def _at_terminal() -> Iterator[Show]:
    columns = rich.progress.BarColumn(), rich.progress.TextColumn("{task.description}")
    with rich.progress.Progress(*columns, console=Console(stderr=True)) as bars:
        bar = bars.add_task("", total=None)

        def show(over: int, total: int, words: str) -> None:
            bars.update(bar, completed=over, total=total, description=words)

        yield show
