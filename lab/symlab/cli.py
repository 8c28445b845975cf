# SPDX-License-Identifier: MIT
"""The command `symlab` and the table of its commands. It names the modules of symlab_papers and
symlab_tools, which nothing else of this package knows.

Exit codes are those of the simulator: 2 for a mistake of the user, 6 if a result cannot be
written, 130 after Ctrl-C, 134 for an error of symlab itself. failing.py has the last net: no
traceback reaches a user.

A help text or a completion must appear at once, but pandas, matplotlib and the like take a second
to import. So the module of a command is imported when the command is looked up. It declares options
and help text only; its function imports the implementation when the command runs.
tests/lab/test_start_up.py finds an import that is too early.
"""

import importlib
import shlex
import signal
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

from symlab.failing import INTERRUPTED, guarded
from symlab.streams import check_streams

try:
    import typer
    from typer.core import TyperGroup

    from symlab.commands.old_names import today
    from symlab.usage import in_words, name_arguments
except KeyboardInterrupt:  # the import takes 0.2 s, and `guarded` does not run yet
    sys.exit(INTERRUPTED)


@dataclass(frozen=True)
class Entry:
    """A command. `example`: arguments for the example in the help text. `module`: that of its
    function NAME_command, if it is not symlab.commands.NAME. `settings`: more for typer."""

    example: str = ""
    module: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)


CC = {
    "context_settings": {"ignore_unknown_options": True, "allow_extra_args": True},
    "options_metavar": "FILES -o PROGRAM.elf [--linux] [--lock NAME|FILE.h] "
    "[--strategy NAME|FILE.h] [--barrier NAME|FILE.h] [-pthread] [--kernel [QUEUES]] "
    "[--space NAME=FILE.c] [--stack-kb N] [gcc options]",
}
GROUPS: dict[str, dict[str, Entry]] = {
    "Use": {
        "run": Entry("configs/quickstart.toml -p 8"),
        "compare": Entry("counter --lock read --against mcs -p 1..20"),
        "check": Entry("guest/locks/mcs.h -p 2 -k 2"),
        "list": Entry("locks", "symlab.commands.listing"),
        "sweep": Entry("papers/ALL/figures/figure-4.1.toml --set run.seed=2"),
        "plot": Entry("papers/ALL/results/figure-4.1.csv --y bus_utilisation"),
        "report": Entry("results/quickstart"),
        "status": Entry("results/ALL/figure-4.1", "symlab.commands.housekeeping"),
        "transactions": Entry("results/quickstart"),
        "fst": Entry("results/quickstart", "symlab.runs.fst"),
        "gc": Entry("results/ALL/figure-4.1 --dry-run", "symlab.commands.housekeeping"),
    },
    "Extend": {
        "new": Entry("lock mine --in locks"),
        "stubs": Entry("calculator.idl --in build"),
        "cc": Entry("mine.c -o mine.elf -O2", settings=CC),
    },
    "Reproduce": {
        "paper": Entry("ALL quick", "symlab_papers.commands.paper"),
    },
}
# Tools of the authors, which the help of `symlab` does not list.
HIDDEN = {
    "bench": Entry("hits writes --runs 9", "symlab_tools.commands.bench"),
    "calibrate": Entry("--out results/mine", "symlab_tools.commands.calibration"),
    "select": Entry("--out results/mine --jobs 2", "symlab_tools.commands.calibration"),
    "reference": Entry("", "symlab_tools.commands.reference"),
}

OF_PROGRAMS = ("run", "compare", "sweep")  # what follows -- are the program's arguments

LISTED = {name: entry for group in GROUPS.values() for name, entry in group.items()}
COMMANDS = LISTED | HIDDEN


class LazyCommands(Mapping[str, Any]):
    """The commands by name. Looking up a command imports its module."""

    def __getitem__(self, name: str) -> Any:
        entry = COMMANDS[name]
        single = typer.Typer(add_completion=False, rich_markup_mode=None)
        epilog = f"Example: symlab {name} {entry.example}".rstrip()
        module = importlib.import_module(entry.module or f"symlab.commands.{name}")
        function = getattr(module, f"{name}_command")
        single.command(name, epilog=epilog, **entry.settings)(function)
        command = typer.main.get_command(single)
        command.name = name
        name_arguments(command)
        return command

    def __iter__(self) -> Iterator[str]:
        return iter(COMMANDS)

    def __len__(self) -> int:
        return len(COMMANDS)


class LazyGroup(TyperGroup):
    """The command `symlab`: looks commands up when they are needed, and lists them in groups."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.commands: Any = LazyCommands()

    def list_commands(self, ctx: Any) -> list[str]:
        return list(LISTED)

    def parse_args(self, ctx: Any, args: list[str]) -> Any:
        if args[:1] == ["help"]:  # as git and others have it
            args = [*args[1:2], "--help"]
        if args and args[0] in OF_PROGRAMS:
            args = _with_arguments(args)
        return super().parse_args(ctx, args if ctx.resilient_parsing else today(args))

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except typer.BadParameter as error:
            error.message = in_words(error)
            raise

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        width = max(map(len, LISTED))
        for title, group in GROUPS.items():
            rows = []
            for name in group:
                text = self.commands[name].get_short_help_str(formatter.width - width - 6)
                rows.append((name.ljust(width), text))
            with formatter.section(title):
                formatter.write_dl(rows)

    def get_params(self, ctx: Any) -> list[Any]:
        """The flags (--help, --show-completion) are False by default. typer's default for them is
        None, and typer imports pydantic to convert it, which takes 0.1 s."""
        options = super().get_params(ctx)
        for option in options:
            if option.default is None:
                option.default = False
        return options


app = typer.Typer(
    cls=LazyGroup, no_args_is_help=True, rich_markup_mode=None,
    epilog="Example: symlab compare counter --lock read --against mcs -p 1..20",
)  # fmt: skip


def _with_arguments(words: list[str]) -> list[str]:
    """The words after -- as a value of guest.argv, as symsim takes them."""
    if "--" not in words:
        return words
    from symlab.runs.settings import as_toml

    at = words.index("--")
    return [*words[:at], "--set", f"guest.argv={as_toml(shlex.join(words[at + 1 :]))}"]


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"symlab {version('symlab')}")
        raise typer.Exit


@app.callback()
def lab(
    version: Annotated[
        bool,
        typer.Option(
            "--version", is_eager=True, callback=_print_version, help="Print the version and exit."
        ),
    ] = False,
) -> None:
    """Simulated machines: from a lock to a curve, from a paper to its claims.
    symlab COMMAND --help explains a command.
    """


def main() -> None:
    """Entry point: runs the command and ends with its exit code, after a sentence if it failed."""
    check_streams()
    exit_code = guarded(lambda: app(prog_name="symlab"))
    # The command is done, but Python takes 0.1 s to end: Ctrl-C must not change the exit code now.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.exit(exit_code)
