# SPDX-License-Identifier: MIT

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from symlab.commands.options import Jobs, Program, Scheduler, Strict


class Search(StrEnum):
    """How schedules are chosen."""

    exhaustive = "exhaustive"
    random = "random"
    stress = "stress"


def check_command(
    what: Annotated[
        str,
        typer.Argument(
            help="Lock, barrier, strategy, program or config.",
            metavar="FILE|PROGRAM",
        ),
    ],
    lock: Annotated[str, typer.Option(help="Lock of the program.", metavar="NAME|FILE.h")] = "",
    barrier: Annotated[str, typer.Option(help="Its barrier.", metavar="NAME|FILE.h")] = "",
    strategy: Annotated[str, typer.Option(help="Its strategy.", metavar="NAME|FILE.h")] = "",
    processors: Annotated[
        int | None, typer.Option("--processors", "-p", help="Processors [2].")
    ] = None,
    acquisitions: Annotated[
        int | None, typer.Option(help="The same as --arg acquisitions=N.")
    ] = None,
    arguments: Annotated[
        list[str] | None,
        typer.Option("--arg", "-a", help="name=value for the program; may be repeated."),
    ] = None,
    preemptions: Annotated[
        int, typer.Option("--preemptions", "-k", help="The most, if exhaustive.")
    ] = 2,
    search: Annotated[
        Search, typer.Option(help="Or random (PCT), or stress.", metavar="HOW")
    ] = Search.exhaustive,
    depth: Annotated[int, typer.Option(help="Of the bugs to find by PCT.")] = 3,
    schedules: Annotated[int | None, typer.Option(help="Of a random search [no end].")] = None,
    minutes: Annotated[float | None, typer.Option(help="Host time of the search [no end].")] = None,
    seed: Annotated[int, typer.Option(help="Of a random search.")] = 1,
    handoffs: Annotated[
        int | None,
        typer.Option(help="Most handoffs past a waiter [no bound]."),
    ] = None,
    stores: Annotated[bool, typer.Option("--stores/--no-stores", help="Also held stores.")] = True,
    interrupts: Annotated[
        bool, typer.Option("--interrupts", help="Also the timer's interrupt anywhere.")
    ] = False,
    ignore: Annotated[
        list[str] | None,
        typer.Option(help="A rule, such as order; may be repeated."),
    ] = None,
    machine: Annotated[str, typer.Option(help="Machine or config.")] = "symmetry-a",
    settings: Annotated[
        list[str] | None, typer.Option("--set", help="key=value; may be repeated.")
    ] = None,
    defines: Annotated[
        list[str] | None, typer.Option("--define", "-D", help="NAME[=VALUE], as for gcc.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Folder [results/check-...].")] = None,
    jobs: Jobs = None,
    strict: Strict = True,
    simulator: Program = None,
    scheduler: Scheduler = None,
) -> None:
    """Find the schedule that breaks a lock or program.

    Ends with exit code 0 if no schedule breaks a rule, and 1 with the shortest one that does, as a
    config, a trace and sentences. The same command continues after an interruption.
    """
    from symlab.checks.check_terminal import check_on_terminal
    from symlab.checks.prepare import Order
    from symlab.runs.settings import parse_argument, parse_setting

    of_program = [f"acquisitions={acquisitions}"] if acquisitions is not None else []
    of_program += arguments or []
    more = [*map(parse_argument, of_program), *map(parse_setting, settings or [])]
    order = Order(
        what,
        {"lock": lock, "barrier": barrier, "strategy": strategy},
        processors,
        machine,
        dict(more),
        tuple(f"-D{text}" for text in defines or []),
        preemptions,
        search.value,
        depth,
        schedules,
        seed,
        stores,
        interrupts,
        handoffs,
        frozenset(ignore or []),
        minutes,
        jobs,
        out,
        simulator,
        strict,
    )
    check_on_terminal(order, scheduler)
