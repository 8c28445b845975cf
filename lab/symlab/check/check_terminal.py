# SPDX-License-Identifier: MIT
"""Runs a check for `symlab check`: progress and the answer on the terminal."""

import time

import typer
from rich.live import Live
from rich.text import Text

from symlab.check.answer import places, replay, story, write_tables
from symlab.check.checking import Answer, check
from symlab.check.frontier import Source
from symlab.check.prepare import Order, prepare_check
from symlab.check.rules import RULES
from symlab.check.schedule import text
from symlab.check.tally import Tally
from symlab.errors import UserError
from symlab.runs.planned import clock
from symlab.runs.scheduler_address import check_address
from symlab.runs.sweep_terminal import stopped
from symlab.terminal import console, warn, wrote

REFRESH_S = 0.5  # host time between two updates at a terminal
LINE_S = 30.0  # between two lines elsewhere
WORST = {
    "handoff_ps": ("longest handoff", lambda ps: f"{ps / 1e6:.2f} us"),
    "wait_handoffs": ("longest wait after arrival", lambda n: f"{n} turns of others"),
    "unfairness": ("most turns that one other takes meanwhile", str),
}
MOST_OUTCOMES = 20  # that are printed; check.json has all
VIOLATED = 1  # exit code
NAMES = sorted({*RULES, "deadlock", "waits-for-ever", "guest-failure", "exit-status"} - {"ending"})


class Progress:
    """Shows how far the search is. Called after each group of runs."""

    def __init__(self, live: Live | None, minutes: float | None) -> None:
        self._live = live
        self._begin_s = self._next_s = time.monotonic()
        self._first: int | None = None  # runs that the journal had
        self._until_s = None if minutes is None else self._begin_s + 60 * minutes

    def __call__(self, tally: Tally, source: Source) -> None:
        now_s = time.monotonic()
        if self._first is None:
            self._first = tally.schedules
        if now_s < self._next_s:
            return
        self._next_s = now_s + (REFRESH_S if self._live else LINE_S)
        words = self.words(tally, source.pending, now_s)
        if self._live:
            self._live.update(Text(words), refresh=True)
        elif now_s - self._begin_s > LINE_S / 2:
            console.print(words)

    def words(self, tally: Tally, pending: int, now_s: float) -> str:
        made = tally.schedules - (self._first or 0)
        rate = made / max(now_s - self._begin_s, 1e-9)
        parts = [
            f"{tally.schedules:,} schedules",
            f"{rate:,.0f}/s",
            f"{pending:,} pending",
            f"{len(tally.orders):,} distinct orders",
        ]
        if pending and rate:
            parts.append(f"at least {clock(pending / rate)} left")
        if self._until_s is not None:
            parts.append(f"ends in {clock(max(self._until_s - now_s, 0))}")
        return ", ".join(parts)


def check_on_terminal(order: Order, scheduler: str | None = None) -> None:
    """Searches and prints the answer. Raises LabError, and typer.Exit with the exit code."""
    if wrong := sorted(order.ignored - set(NAMES)):
        raise UserError(f"check: --ignore {wrong[0]}: no such rule; there are {', '.join(NAMES)}")
    if scheduler is not None:
        if order.jobs is not None:
            raise UserError("check: --jobs is for this host; leave it out with --scheduler")
        check_address(scheduler)
    prepared = prepare_check(order)
    console.print(f"checking {prepared.names} on {prepared.processors} processors")
    try:
        if console.is_terminal:
            with Live(console=console, auto_refresh=False, transient=True) as live:
                answer = check(order, prepared, Progress(live, order.minutes), scheduler)
        else:
            answer = check(order, prepared, Progress(None, order.minutes), scheduler)
    except KeyboardInterrupt:
        stopped()
    print_answer(answer)
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
        bound = f"not all with at most {answer.order.preemptions} preemptions: the time is over"
    return f"no violation in {tally.schedules:,} schedules ({bound}; {orders}; {speed})"
