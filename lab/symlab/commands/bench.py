# SPDX-License-Identifier: MIT

from pathlib import Path
from typing import Annotated

import typer

from symlab.commands.options import Program


def bench_command(
    configs: Annotated[
        list[str] | None,
        typer.Argument(help="Scenarios of configs/bench, or configs [all, with costs]."),
    ] = None,
    runs: Annotated[int | None, typer.Option(help="Runs of each scenario [5].")] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="Small sizes, one run each, no verdict.")
    ] = False,
    out: Annotated[Path, typer.Option(help="Folder of the results.")] = Path("results/bench"),
    simulator: Program = None,
    update_golden: Annotated[
        bool, typer.Option("--update-golden", help="Only write configs/bench/golden.csv.")
    ] = False,
) -> None:
    """Measure the simulator's own speed, one run at a time.

    Takes five minutes on an idle host. docs/dev/performance.md explains the results.
    """
    from symlab.bench.terminal import golden_on_terminal, measure_on_terminal

    if update_golden:
        golden_on_terminal(simulator)
    else:
        measure_on_terminal(configs or [], runs, quick, out, simulator)
