# SPDX-License-Identifier: MIT
"""The command `symlab`. Exit codes are the simulator's: 2 user's mistake, 6 not written, 130."""

import shlex
import sys
from pathlib import Path
from typing import Annotated, Any

import pandas as pd
import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn
from rich.table import Table

from symlab import compiling, grid
from symlab.bench_command import bench_command
from symlab.errors import LabError, UserError
from symlab.figure import Verdict, find_figure, shown, write_claims
from symlab.fst import fst_command
from symlab.housekeeping_commands import gc_command, status_command
from symlab.plan import Reason, Task
from symlab.skeleton import new
from symlab.sweeping import Outcome, SweepResult, Watcher, run_sweep

app = typer.Typer(no_args_is_help=True, add_completion=False, rich_markup_mode=None)
console = Console(highlight=False, soft_wrap=True)
errors = Console(stderr=True, highlight=False, soft_wrap=True)

STATE_COLOURS = {"holds": "green", "fails": "red", "not run": "yellow"}


@app.callback()
def lab() -> None:
    """Sweeps, tables, figures and verdicts on claims for the symsim simulator."""


@app.command("sweep")
def sweep_command(
    config: Annotated[Path, typer.Argument(help="TOML file with a [sweep] table.")],
    out: Annotated[
        Path | None, typer.Option(help="Folder of the results [results/<config stem>].")
    ] = None,
    jobs: Annotated[int | None, typer.Option(help="Runs at a time [all host cores].")] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", help="key=value, or key=[a,b] as an axis; may be repeated."),
    ] = None,
    simulator: Annotated[
        Path | None, typer.Option(help="The symsim binary [$SYMSIM_BINARY or ./symsim].")
    ] = None,
) -> None:
    """Run the grid of CONFIG on all cores; what is finished already is kept."""
    overrides = dict(grid.parse_setting(text) for text in settings or [])
    screen = _Screen()
    try:
        with screen.progress:
            result = run_sweep(config, out, jobs, overrides, simulator, screen.watcher)
    except KeyboardInterrupt:
        again = shlex.join(["symlab", *sys.argv[1:]])
        errors.print(f"stopped; finished runs are kept. To go on: {again}", markup=False)
        raise typer.Exit(130) from None
    _report(result)


@app.command("claims")
def claims_command(
    csv: Annotated[Path, typer.Argument(help="The CSV a sweep wrote.")],
    figure: Annotated[
        str | None, typer.Option(help="Whose claims: a figure's id [the CSV's stem].")
    ] = None,
) -> None:
    """Judge the claims of a figure on a CSV; writes <name>-claims.json and .md beside it."""
    name = csv.name.removesuffix(".csv")
    try:
        runs = pd.read_csv(csv)
    except (OSError, ValueError) as error:
        raise UserError(f"{csv}: cannot be read as CSV: {error}") from error
    found = find_figure(figure or name, [])
    if not found.claims:
        raise UserError(f"no claims are known for {figure or name}; name a figure with --figure")
    verdicts = found.judge(runs)
    for path in write_claims(verdicts, csv.parent, name):
        console.print(f"wrote {path}", markup=False)
    _print_verdicts(verdicts)


@app.command("calibrate")
def calibrate_command(
    out: Annotated[Path, typer.Option(help="Folder of the results.")] = Path("results/calibration"),
) -> None:
    """What the measured operations of ALL Table 3.1 say about the machine; half a minute."""
    from symlab.calibration import calibrate

    for path in calibrate(out):
        console.print(f"wrote {path}", markup=False)


@app.command("select")
def select_command(
    out: Annotated[Path, typer.Option(help="Folder of the results.")] = Path("results/calibration"),
    jobs: Annotated[int | None, typer.Option(help="Runs at a time [all host cores].")] = None,
    settings: Annotated[
        list[str] | None, typer.Option("--set", help="As of sweep, to run a part of the study.")
    ] = None,
) -> None:
    """What each structural unknown does to the claims it is selected on; half an hour."""
    from symlab.selection import select

    overrides = dict(grid.parse_setting(text) for text in settings or [])
    console.print(f"wrote {select(out, jobs, overrides)}", markup=False)


@app.command(
    "cc",
    context_settings={"ignore_unknown_options": True, "allow_extra_args": True},
    options_metavar="FILES -o PROGRAM.elf [--lock NAME|FILE.h] [--strategy NAME|FILE.h] "
    "[--stack-kb N] [gcc options]",
)
def cc_command(context: typer.Context) -> None:
    """Build a C program of your own, wherever it lies, for the simulated machine.

    FILES: .c, .S, .s, .o or .a. --lock: what lock.h is, a file of guest/locks or a header of
    yours [read]. --strategy: for a program of threads, a file of guest/threads/strategies or a
    header of yours; the lock is then backoff if no other is named. --stack-kb: of each processor, a
    power of two [64]. All else goes to gcc, behind the flags of guest/flags.txt: -O2, -DNAME=1,
    -Wall, ...
    """
    request = compiling.parse_arguments(context.args)
    console.print(f"wrote {compiling.build(request)}", markup=False)


app.add_typer(new, name="new")
app.command("status")(status_command)
app.command("gc")(gc_command)
app.command("bench")(bench_command)
app.command("fst")(fst_command)


def main() -> None:
    """Entry point: turns the lab's errors into a line on stderr and an exit code."""
    try:
        app(prog_name="symlab")
    except LabError as error:
        errors.print(f"symlab: {error}", markup=False)
        sys.exit(error.exit_code)


class _Screen:
    """The progress bar and a line for each point."""

    def __init__(self) -> None:
        self.progress = Progress(
            TextColumn("{task.fields[done]}/{task.fields[points]} runs"),
            BarColumn(),
            TextColumn("{task.percentage:>3.0f} %"),
            TimeRemainingColumn(),
            console=console,
        )
        self.watcher = Watcher(self._planned, self._ended)
        self._bar: TaskID | None = None
        self._done = 0

    def _planned(self, tasks: list[Task]) -> None:
        for task in tasks:
            if task.reason is Reason.KEPT:
                self._line("kept", task.point.label, task.detail)
            elif task.reason is Reason.INVALID:
                self._line("invalid", task.point.label, task.detail)
            else:
                self._line("to run", task.point.label, task.why)
        waiting = {t.name: t for t in tasks if t.identity and t.reason is not Reason.KEPT}
        console.print(f"{len(tasks)} points, {len(waiting)} to run")
        if waiting:
            total = sum(task.point.weight for task in waiting.values())
            fields: dict[str, Any] = {"done": 0, "points": len(waiting)}
            self._bar = self.progress.add_task("", total=total, **fields)

    def _ended(self, task: Task, outcome: Outcome) -> None:
        self._done += 1
        self._line(outcome.status, task.point.label, outcome.message)
        if self._bar is not None:
            self.progress.update(self._bar, advance=task.point.weight, done=self._done)

    def _line(self, what: str, label: str, detail: str) -> None:
        first = detail.strip().splitlines()[0] if detail.strip() else ""
        self.progress.console.print(f"{what:<10} {label}  {first}".rstrip(), markup=False)


def _report(result: SweepResult) -> None:
    for path in result.files:
        console.print(f"wrote {path}", markup=False)
    if result.verdicts:
        _print_verdicts(result.verdicts)
    for problem in result.problems:
        errors.print(f"symlab: {problem}", markup=False)
    if result.failures:
        errors.print(f"{len(result.failures)} of {len(result.frame)} runs failed:")
        for label, outcome in result.failures:
            errors.print(f"  {label}: {outcome.status}", markup=False)
            if outcome.message:
                errors.print(f"    {outcome.message.splitlines()[-1]}", markup=False)
            if outcome.folder:
                errors.print(f"    see {outcome.folder}", markup=False)
    if result.problems:
        raise typer.Exit(result.problems[0].exit_code)
    if result.failures:
        raise typer.Exit(1)


def _print_verdicts(verdicts: list[Verdict]) -> None:
    table = Table("claim", "verdict", "value", "bound", "statement", "note")
    for v in verdicts:
        colour = STATE_COLOURS[v.state]
        cells = (shown(v.value), shown(v.bound), escape(v.statement), escape(v.note))
        table.add_row(v.id, f"[{colour}]{v.state}[/]", *cells)
    Console(highlight=False).print(table)
