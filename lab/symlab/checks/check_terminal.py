# SPDX-License-Identifier: MIT
"""Runs a check for `symlab check`, shows how far it is, and prints the answer on the terminal."""

import time
from collections.abc import Callable
from typing import Any, Self

import typer
from rich.console import Console, Group
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.text import Text

from symlab.checks.answer import places, replay, story, summary, write_tables
from symlab.checks.checking import Answer, Forecast, Watcher, check
from symlab.checks.prepare import Order, Prepared, prepare_check
from symlab.checks.schedule import text
from symlab.checks.sources import Source
from symlab.checks.worker import Tally
from symlab.errors import UserError
from symlab.runs.planned import clock
from symlab.runs.processes import children_ending_on_ctrl_c
from symlab.runs.scheduler_address import check_address
from symlab.runs.sweep_terminal import stopped
from symlab.terminal import console, print_json, warn, wrote

WORST: dict[str, tuple[str, Callable[[Any], str]]] = {
    "handoff_ps": ("longest handoff", lambda ps: f"{ps / 1e6:.2f} us"),
    "wait_handoffs": ("longest wait after arrival", lambda n: f"{n} turns of others"),
    "unfairness": ("most turns that one other takes meanwhile", str),
}
MOST_OUTCOMES = 20  # that are printed; check.json has all
VIOLATED = 1  # exit code
REFRESH_S = 0.5  # host time between two updates at a terminal
LINE_S = 5.0  # between two lines elsewhere
BAR_WIDTH = 60
LONG_S = 120.0  # a search that takes longer gets advice
OFFERED_S = 1800.0  # the longest that is advised


def check_on_terminal(order: Order, scheduler: str | None = None, json: bool = False) -> None:
    """Searches and prints the answer. `json`: check.json, too. Raises LabError, and typer.Exit with
    the exit code."""
    if scheduler is not None:
        if order.jobs is not None:
            raise UserError("check: --jobs is for this host; leave it out with --scheduler")
        check_address(scheduler)
    try:
        with children_ending_on_ctrl_c():
            prepared = prepare_check(order, console.print)
        for line in about(prepared):
            console.print(line)
        with Progress(console, order.minutes) as progress:
            answer = check(order, prepared, progress.watcher, scheduler)
    except KeyboardInterrupt:
        stopped()
    print_answer(answer)
    if json:
        print_json(summary(answer))
    if answer.failure:
        raise typer.Exit(VIOLATED)


def print_answer(answer: Answer) -> None:
    """Writes the results and prints what they say."""
    image = answer.prepared.image
    written = []
    if failure := answer.failure:
        for line in story(failure, image):
            console.print(line)
        for line in places(failure, image):
            console.print(line)
        config, ended = replay(answer, failure)
        written.append(config)
        if (config.parent / "replay" / "trace.pftrace").is_file():
            written.append(config.parent / "replay" / "trace.pftrace")
        else:
            warn(f"{config}: the replay wrote no trace: {ended.message or ended.status}")
    console.print(verdict(answer))
    for name, (title, show) in WORST.items():
        if name in answer.tally.worst:
            value, schedule = answer.tally.worst[name]
            console.print(f"  {title}: {show(value)}, by {text(schedule) or 'no holds'!r}")
    outcomes = answer.tally.outcomes
    if len(outcomes) > 1:
        for (status, said), count in sorted(outcomes.items())[:MOST_OUTCOMES]:
            console.print(f"  {count:,} schedules: {said or status}")
    if answer.tally.unquiet:
        warn(
            f"in {answer.tally.unquiet:,} schedules others still made progress when a hold ended; "
            "orders that need a longer hold are not among those searched"
        )
    written += write_tables(answer)
    wrote(*written)
    if not answer.complete and not answer.failure:
        console.print("the same command continues the search")


def verdict(answer: Answer) -> str:
    """The answer in one or two sentences."""
    tally = answer.tally
    orders = f"{len(tally.orders):,} distinct orders of accesses"
    speed = f"{answer.made / max(answer.seconds, 1e-9):,.0f} schedules/s"
    if failure := answer.failure:
        return (
            f"violation of the rule {failure.violation.rule}, found by schedule number "
            f"{failure.runs:,} ({speed}); the shortest that shows it: "
            f"{text(failure.schedule) or 'no holds'!r}"
        )
    if answer.pct:
        pct = answer.pct
        return (
            f"no violation in {tally.schedules:,} random schedules ({orders}; {speed}). A bug of "
            f"depth {pct.depth} is found by a schedule with probability 1/(n*k^(d-1)) = "
            f"{pct.bound:.2g} or more, n = {pct.processors} processors, k = {len(pct.places)} "
            "accesses of the run without holds, if priorities are strict"
        )
    if answer.order.search == "stress":
        bound = "processors that start at random times"
    elif answer.complete:
        bound = f"all with at most {answer.order.preemptions} preemptions"
    else:
        why = "the time is over" if answer.whole else "too many were pending"
        bound = f"not all with at most {answer.order.preemptions} preemptions: {why}"
    return f"no violation in {tally.schedules:,} schedules ({bound}; {orders}; {speed})"


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
