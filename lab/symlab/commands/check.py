# SPDX-License-Identifier: MIT

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from symlab.commands import options
from symlab.commands.options import names_of, option, out
from symlab.terminal import quieten


class Search(StrEnum):
    """How schedules are chosen."""

    exhaustive = "exhaustive"
    random = "random"
    stress = "stress"


def check_command(
    what: Annotated[
        str,
        typer.Argument(
            help="Lock, barrier, strategy, program or config.", metavar="FILE|PROGRAM",
            autocompletion=names_of("workloads"),
        ),
    ],
    lock: options.Lock = "",
    barrier: options.Barrier = "",
    strategy: options.Strategy = "",
    processors: Annotated[
        int | None, option("--processors", "-p", metavar="N", help="Processors [2].")
    ] = None,
    acquisitions: Annotated[
        int | None, typer.Option("--acquisitions", hidden=True, help="Like --arg acquisitions=N.")
    ] = None,
    arguments: options.Arguments = None,
    preemptions: Annotated[
        int, option("--preemptions", "-k", metavar="N",
                    help="Most preemptions, if exhaustive [2].")
    ] = 2,
    search: Annotated[
        Search, option("--search", metavar="HOW", help="random (PCT) or stress [exhaustive].")
    ] = Search.exhaustive,
    depth: Annotated[
        int, option("--depth", metavar="N", help="Depth of bugs for PCT [3].")
    ] = 3,
    schedules: Annotated[
        int | None,
        option("--schedules", metavar="N", help="Most random schedules [no end]."),
    ] = None,
    minutes: Annotated[
        float | None,
        option("--minutes", metavar="N", help="Most host time [no end]."),
    ] = None,
    seed: Annotated[int, option("--seed", metavar="N", help="Seed of a random search [1].")] = 1,
    handoffs: Annotated[
        int | None,
        option("--handoffs", metavar="N", help="Most handoffs past a waiter [no bound]."),
    ] = None,
    stores: Annotated[
        bool,
        typer.Option(
            "--stores/--no-stores", show_default=False, help="Hold stores in the write buffer, too."
        ),
    ] = True,
    interrupts: Annotated[
        bool, typer.Option("--interrupts", help="Let the timer interrupt anywhere, too.")
    ] = False,
    ignore: Annotated[
        list[str] | None,
        option("--ignore", metavar="RULE", help="Rule to leave out, such as order."),
    ] = None,
    machine: options.Machine = "symmetry-a",
    settings: options.Setting = None,
    defines: options.Defines = None,
    folder: Annotated[Path | None, out("Folder of the results [results/check-NAME].")] = None,
    jobs: options.Jobs = None,
    strict: options.Strict = True,
    simulator: options.Program = None,
    scheduler: options.Scheduler = None,
    quiet: options.Quiet = False,
    as_json: options.AsJson = False,
) -> None:  # fmt: skip
    """Find the schedule that breaks a lock or program.

    Exit code 0: no schedule breaks a rule. 1: one does; the shortest is written as a config, a
    trace and sentences. The same command continues after an interruption.
    """
    from symlab.checks.check_terminal import check_on_terminal
    from symlab.checks.prepare import Order
    from symlab.runs.settings import parse_argument, parse_setting

    quieten(quiet or as_json)
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
        folder,
        simulator,
        strict,
    )
    check_on_terminal(order, scheduler, as_json)
