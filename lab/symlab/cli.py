# SPDX-License-Identifier: MIT
"""The command `symlab` and its subcommands; the docstring of a subcommand is its help text.

Exit codes are those of the simulator: 2 for a mistake of the user, 6 if a result cannot be
written, 130 after Ctrl-C.
"""

import shlex
import sys
from pathlib import Path
from typing import Annotated

import pandas as pd
import typer
from rich.console import Console

from symlab import compiling, grid
from symlab.bench_command import bench_command
from symlab.errors import LabError, UserError
from symlab.figure import find_figure, write_claims
from symlab.fst import fst_command
from symlab.housekeeping_commands import gc_command, status_command
from symlab.options import Jobs, Program, Scheduler
from symlab.reference_command import reference_command
from symlab.report_command import report_command
from symlab.reproduce_command import reproduce_command
from symlab.screen import Screen
from symlab.skeleton import new
from symlab.sweep_report import print_verdicts, report
from symlab.sweeping import run_sweep
from symlab.transactions_command import transactions_command

app = typer.Typer(
    no_args_is_help=True, rich_markup_mode=None,
    epilog="Example: symlab sweep configs/figures/ALL/figure-4.1.toml",
)  # fmt: skip
console = Console(highlight=False, soft_wrap=True)
errors = Console(stderr=True, highlight=False, soft_wrap=True)


@app.callback()
def lab() -> None:
    """Sweeps, tables, figures and verdicts on claims for the symsim simulator."""


@app.command(
    "sweep",
    epilog="Example: symlab sweep configs/figures/ALL/figure-4.1.toml --set run.seed=2",
)
def sweep_command(
    config: Annotated[Path, typer.Argument(help="TOML file with a [sweep] table.")],
    out: Annotated[
        Path | None, typer.Option(help="Folder of the results [results/<config stem>].")
    ] = None,
    jobs: Jobs = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", help="key=value, or key=[a,b] as an axis; may be repeated."),
    ] = None,
    simulator: Program = None,
    scheduler: Scheduler = None,
) -> None:
    """Run the grid of CONFIG, on all cores or a cluster.

    What is finished already is kept. docs/sweeps.md has more.
    """
    overrides = dict(grid.parse_setting(text) for text in settings or [])
    try:
        with Screen(console) as screen:
            result = run_sweep(config, out, jobs, overrides, simulator, screen.watcher, scheduler)
    except KeyboardInterrupt:
        again = shlex.join(["symlab", *sys.argv[1:]])
        errors.print(f"stopped; finished runs are kept. To go on: {again}", markup=False)
        raise typer.Exit(130) from None
    if code := report(result):
        raise typer.Exit(code)


@app.command("claims", epilog="Example: symlab claims results/ALL/figure-4.1.csv --figure all-4.1")
def claims_command(
    csv: Annotated[Path, typer.Argument(help="The CSV a sweep wrote.")],
    figure: Annotated[
        str | None, typer.Option(help="Whose claims: a figure's id [the CSV's stem].")
    ] = None,
) -> None:
    """Judge the claims of a figure on a sweep's CSV.

    Writes <name>-claims.json and .md beside it.
    """
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
    print_verdicts(verdicts)


@app.command("calibrate", epilog="Example: symlab calibrate --out results/mine")
def calibrate_command(
    out: Annotated[Path, typer.Option(help="Folder of the results.")] = Path("results/calibration"),
) -> None:
    """Say what ALL's Table 3.1 tells about the machine.

    Half a minute. docs/calibration.md explains what it writes.
    """
    from symlab.calibration import calibrate

    for path in calibrate(out):
        console.print(f"wrote {path}", markup=False)


@app.command("select", epilog="Example: symlab select --out results/mine --jobs 2")
def select_command(
    out: Annotated[Path, typer.Option(help="Folder of the results.")] = Path("results/calibration"),
    jobs: Jobs = None,
    settings: Annotated[
        list[str] | None, typer.Option("--set", help="As of sweep, to run a part of the study.")
    ] = None,
) -> None:
    """Say what each structural unknown does to the claims.

    To those that it is selected on; half an hour.
    """
    from symlab.selection import select

    overrides = dict(grid.parse_setting(text) for text in settings or [])
    console.print(f"wrote {select(out, jobs, overrides)}", markup=False)


@app.command(
    "cc",
    context_settings={"ignore_unknown_options": True, "allow_extra_args": True},
    options_metavar="FILES -o PROGRAM.elf [--lock NAME|FILE.h] [--strategy NAME|FILE.h] "
    "[-pthread] [--stack-kb N] [gcc options]",
    epilog="Example: symlab cc mine.c -o mine.elf -O2",
)
def cc_command(context: typer.Context) -> None:
    """Build a C program of your own for the simulated machine.

    It may lie anywhere. FILES: .c, .S, .s, .o or .a. --lock: what lock.h is, a file of
    guest/locks or a header of yours [read]. --strategy: for a program of threads, a file of
    guest/threads/strategies or a header of yours; the lock is then backoff if no other is named.
    -pthread: for a program of pthread.h; the strategy is then local-readyq if no other is named.
    --stack-kb: of each processor, a power of two [64]. All else goes to gcc, behind the flags of
    guest/flags.txt: -O2, -DNAME=1, -Wall, ...
    """
    request = compiling.parse_arguments(context.args)
    console.print(f"wrote {compiling.build(request)}", markup=False)


app.add_typer(new, name="new")
for name, command, example in [
    ("status", status_command, "results/ALL/figure-4.1"),
    ("gc", gc_command, "results/ALL/figure-4.1 --dry-run"),
    ("bench", bench_command, "hits writes --runs 9"),
    ("transactions", transactions_command, "results/quickstart"),
    ("report", report_command, "results/quickstart"),
    ("fst", fst_command, "results/quickstart"),
    ("reproduce", reproduce_command, "ALL --quick"),
    ("reference", reference_command, ""),
]:
    app.command(name, epilog=f"Example: symlab {name} {example}".rstrip())(command)


def main() -> None:
    """Entry point. A LabError becomes a line on stderr and the exit code that it carries."""
    try:
        app(prog_name="symlab")
    except LabError as error:
        errors.print(f"symlab: {error}", markup=False)
        sys.exit(error.exit_code)
