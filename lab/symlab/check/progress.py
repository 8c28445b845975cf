# SPDX-License-Identifier: MIT
"""Shows how far a check is: a bar at a terminal, else a line every few seconds."""

import time
from typing import Self

from rich.console import Console, Group
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.text import Text

from symlab.check.checking import Forecast, Watcher
from symlab.check.frontier import Source
from symlab.check.prepare import Prepared
from symlab.check.tally import Tally
from symlab.runs.planned import clock

REFRESH_S = 0.5  # host time between two updates at a terminal
LINE_S = 5.0  # between two lines elsewhere
BAR_WIDTH = 60
LONG_S = 120.0  # a search that takes longer gets advice
OFFERED_S = 1800.0  # the longest that is advised


class Progress:
    """Context manager around a check that gets this object's `watcher`. `minutes`: the most host
    time of the search, None without end. Only its calls show anything: there is no thread, since
    the search forks."""

    def __init__(self, console: Console, minutes: float | None) -> None:
        self.watcher = Watcher(self.begins, self.waits, self.foresees, self.searched)
        self._console = console
        self._live = Live(console=console, auto_refresh=False, transient=True)
        self._begin_s = self._step_s = self._shown_s = time.monotonic()
        self._until_s = None if minutes is None else self._begin_s + 60 * minutes
        self._step = ""
        self._first: int | None = None  # runs that the journal had
        self.forecast: Forecast | None = None

    def __enter__(self) -> Self:
        if self._console.is_terminal:
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._live.stop()

    def begins(self, words: str) -> None:
        self._step, self._step_s = words, time.monotonic()
        self._show(f"{words} ...", soon=True)

    def waits(self) -> None:
        self._show(f"{clock(time.monotonic() - self._begin_s)}: {self._step}")

    def foresees(self, forecast: Forecast) -> None:
        self.forecast = forecast
        for line in foreseen(forecast):
            self._console.print(line)

    def searched(self, tally: Tally, source: Source) -> None:
        if self._first is None:
            self._first = tally.schedules
            self._step_s = time.monotonic()
        self._show(self.words(tally, source.pending), self._share(tally, source))

    def words(self, tally: Tally, pending: int) -> str:
        now_s = time.monotonic()
        made = tally.schedules - (self._first or 0)
        rate = made / max(now_s - self._step_s, 1e-9)
        parts = [
            f"{clock(now_s - self._begin_s)}: {tally.schedules:,} schedules",
            f"{rate:,.0f}/s" if rate >= 1 else f"one in {1 / rate:,.0f} s" if made else "none yet",
            f"{pending:,} pending",
            f"{len(tally.orders):,} distinct orders",
        ]
        if pending and rate:
            parts.append(f"at least {clock(pending / rate)} left")
        if self._until_s is not None:
            parts.append(f"ends in {clock(max(self._until_s - now_s, 0))}")
        return ", ".join(parts)

    def _share(self, tally: Tally, source: Source) -> float | None:
        """How much of the search is done, None if it has no end."""
        known = tally.schedules + source.pending
        if self.forecast and self.forecast.schedules:
            return tally.schedules / max(known, self.forecast.schedules[-1])
        if source.pending:
            return tally.schedules / known
        if self._until_s is not None:
            whole_s = max(self._until_s - self._begin_s, 1e-9)
            return min((time.monotonic() - self._begin_s) / whole_s, 1.0)
        return None

    def _show(self, words: str, share: float | None = None, soon: bool = False) -> None:
        """Shows a line, `soon`: at once at a terminal, else if it is time again."""
        now_s = time.monotonic()
        terminal = self._console.is_terminal
        if now_s - self._shown_s < (REFRESH_S if terminal else LINE_S) and not (soon and terminal):
            return
        self._shown_s = now_s
        if not terminal:
            self._console.print(words)
            return
        bar = ProgressBar(
            total=None if share is None else 1.0, completed=share or 0.0, width=BAR_WIDTH
        )
        self._live.update(Group(bar, Text(words)) if self._first is not None else Text(words))
        self._live.refresh()


def foreseen(forecast: Forecast) -> list[str]:
    """What the run without holds says of the search, and what would end sooner."""
    lines = [
        f"the run without holds: {forecast.accesses:,} accesses to shared memory, "
        f"{forecast.places:,} places to preempt"
    ]
    if not forecast.schedules:
        return lines
    *fewer, all_ = forecast.schedules
    lines[0] += f"; about {_number(all_)} schedules, {_duration(forecast.seconds(all_))}"
    if forecast.seconds(all_) < LONG_S:
        return lines
    advice = []
    for k, schedules in reversed(list(enumerate(fewer))):
        if k > 0 and forecast.seconds(schedules) < OFFERED_S:
            took = _duration(forecast.seconds(schedules))
            advice.append(f"-k {k} (about {_number(schedules)} schedules, {took})")
            break
    advice.append("a smaller program (-a increments=2, or what its argument is called)")
    advice.append("--search random --minutes 5")
    return [*lines, f"what would end sooner: {'; '.join(advice)}"]


def _number(count: int) -> str:
    """With two digits that count; a large number as a power of ten."""
    if count >= 10**9:
        return f"10^{len(str(count)) - 1}"
    digits = max(len(str(count)) - 2, 0)
    return f"{round(count, -digits):,}"


def _duration(seconds: float) -> str:
    if seconds < 60:
        return f"{seconds:.0f} s" if seconds >= 1 else "under a second"
    days = seconds / 86400
    if days > 365:
        return "more than a year"
    if days > 2:
        return f"{days:,.0f} days"
    return clock(seconds)


def about(prepared: Prepared) -> list[str]:
    """What is checked, and from where."""
    lines = [f"checking {prepared.names} on {prepared.processors} processors"]
    if prepared.whole:
        lines.append(
            "it marks no part to check, so all of it is, with its start; PROBE(PROBE_REGION_BEGIN, "
            "1) of probes.h, on each processor, begins a part"
        )
    return lines
