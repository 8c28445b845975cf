# SPDX-License-Identifier: MIT

from pathlib import Path
from typing import Annotated

import typer
from symlab.commands.options import Program, option, out
from symlab.terminal import wrote


def bench_command(
    configs: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="CONFIG...", help="Scenarios of configs/bench, or configs [all, with costs]."
        ),
    ] = None,
    runs: Annotated[
        int | None, option("--runs", metavar="N", help="Runs of each scenario [5].")
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="Small sizes, one run each, no verdict.")
    ] = False,
    folder: Annotated[Path, out("Folder of the results.")] = Path("results/bench"),
    simulator: Program = None,
    update_golden: Annotated[
        bool, typer.Option("--update-golden", help="Only write configs/bench/golden.csv.")
    ] = False,
    only_pages: Annotated[
        bool,
        typer.Option("--pages", help="Only write the table and the picture of docs/dev."),
    ] = False,
) -> None:
    """Measure the simulator's own speed, one run at a time.

    Takes five minutes on an idle host, and adds the measurement to history.csv.
    docs/dev/performance.md explains the results.
    """
    from symlab.runs.simulator import Simulator

    from symlab_tools.bench import page
    from symlab_tools.bench.golden import update_golden as write_golden
    from symlab_tools.bench.terminal import measure_on_terminal

    if update_golden:
        wrote(write_golden(Simulator(simulator).path))
    elif only_pages:
        wrote(page.write_table(), page.write_picture())
    else:
        measure_on_terminal(configs or [], runs, quick, folder, simulator)
