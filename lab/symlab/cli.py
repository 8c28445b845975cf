# SPDX-License-Identifier: MIT
"""The command `symlab` and the table of its commands.

Exit codes are those of the simulator: 2 for a mistake of the user, 6 if a result cannot be
written, 130 after Ctrl-C.

A help text or a completion must appear at once, but pandas, matplotlib and the like take a second
to import. So the module of a command is imported when the command is looked up. It declares options
and help text only; its function imports the implementation when the command runs.
tests/lab/test_start_up.py finds an import that is too early.
"""

import importlib
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import typer

from symlab.command_group import CommandGroup
from symlab.errors import LabError


@dataclass(frozen=True)
class Entry:
    """A command. `target`: "module:function", or "module:app" for a group of commands.

    `example`: arguments for the example in the help text. A group has its own example. `settings`:
    more arguments for typer.
    """

    target: str
    example: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)


COMMANDS = {
    "sweep": Entry(
        "symlab.sweep_command:sweep_command",
        "configs/figures/ALL/figure-4.1.toml --set run.seed=2",
    ),
    "claims": Entry(
        "symlab.claims_command:claims_command", "results/ALL/figure-4.1.csv --figure all-4.1"
    ),
    "calibrate": Entry("symlab.calibration_commands:calibrate_command", "--out results/mine"),
    "select": Entry("symlab.calibration_commands:select_command", "--out results/mine --jobs 2"),
    "cc": Entry(
        "symlab.cc_command:cc_command",
        "mine.c -o mine.elf -O2",
        {
            "context_settings": {"ignore_unknown_options": True, "allow_extra_args": True},
            "options_metavar": "FILES -o PROGRAM.elf [--lock NAME|FILE.h] "
            "[--strategy NAME|FILE.h] [-pthread] [--stack-kb N] [gcc options]",
        },
    ),
    "status": Entry("symlab.housekeeping_commands:status_command", "results/ALL/figure-4.1"),
    "gc": Entry("symlab.housekeeping_commands:gc_command", "results/ALL/figure-4.1 --dry-run"),
    "bench": Entry("symlab.bench_command:bench_command", "hits writes --runs 9"),
    "transactions": Entry(
        "symlab.transactions_command:transactions_command", "results/quickstart"
    ),
    "report": Entry("symlab.report_command:report_command", "results/quickstart"),
    "fst": Entry("symlab.fst:fst_command", "results/quickstart"),
    "reproduce": Entry("symlab.reproduce_command:reproduce_command", "ALL --quick"),
    "reference": Entry("symlab.reference_command:reference_command"),
    "new": Entry("symlab.skeleton:new"),
}


class LazyCommands(Mapping[str, Any]):
    """The commands by name. Looking up a command imports its module."""

    def __getitem__(self, name: str) -> Any:
        entry = COMMANDS[name]
        module, _, attribute = entry.target.partition(":")
        target = getattr(importlib.import_module(module), attribute)
        if not isinstance(target, typer.Typer):
            single = typer.Typer(add_completion=False, rich_markup_mode=None)
            epilog = f"Example: symlab {name} {entry.example}".rstrip()
            single.command(name, epilog=epilog, **entry.settings)(target)
            target = single
        command = typer.main.get_command(target)
        command.name = name
        return command

    def __iter__(self) -> Iterator[str]:
        return iter(COMMANDS)

    def __len__(self) -> int:
        return len(COMMANDS)


class LazyGroup(CommandGroup):
    """A group of commands that lists them without importing their modules."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.commands = LazyCommands()

    def list_commands(self, ctx: Any) -> list[str]:
        return list(COMMANDS)


app = typer.Typer(
    cls=LazyGroup, no_args_is_help=True, rich_markup_mode=None,
    epilog="Example: symlab sweep configs/figures/ALL/figure-4.1.toml",
)  # fmt: skip


@app.callback()
def lab() -> None:
    """Sweeps, tables, figures and verdicts on claims for the symsim simulator."""


def main() -> None:
    """Entry point. A LabError becomes a line on stderr and the exit code that it carries."""
    try:
        app(prog_name="symlab")
    except LabError as error:
        from rich.console import Console

        errors = Console(stderr=True, highlight=False, soft_wrap=True)
        errors.print(f"symlab: {error}", markup=False)
        sys.exit(error.exit_code)
