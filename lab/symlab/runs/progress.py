# SPDX-License-Identifier: MIT
"""The progress of `sweep()`: at a terminal as `symlab sweep` shows it, in a notebook a bar."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from typing import Any

from rich.console import Console

from symlab.runs.executing import Watcher
from symlab.runs.screen import Progress, Screen, planning_line

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
