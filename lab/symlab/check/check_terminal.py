# SPDX-License-Identifier: MIT
"""Runs a check for `symlab check`, and prints the answer on the terminal."""

from collections.abc import Callable
from typing import Any

import typer

from symlab.check.answer import places, replay, story, summary, write_tables
from symlab.check.checking import Answer, check
from symlab.check.prepare import Order, prepare_check
from symlab.check.progress import Progress, about
from symlab.check.schedule import text
from symlab.errors import UserError
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


def check_on_terminal(order: Order, scheduler: str | None = None, json: bool = False) -> None:
    """Searches and prints the answer. `json`: check.json, too.

    Raises LabError, and typer.Exit with the exit code.
    """
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
