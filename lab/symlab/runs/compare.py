# SPDX-License-Identifier: MIT
"""Compares locks, barriers or strategies, building a program with each, or Linux programs: sweeps
over processors.

experiment() -> prepare(): images and a config -> sweep -> frame
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from symlab.runs.beforehand import check_experiment, nothing_left
from symlab.runs.executing import Watcher
from symlab.runs.experiment import (
    MACHINE,
    PROCESSORS,
    Experiment,
    prepare,
    results_folder,
)
from symlab.runs.linux import check_programs, experiment_of
from symlab.runs.origin import note_origin
from symlab.runs.screen import progress_bar
from symlab.runs.sweeping import Order, SweepResult, jobs_at_a_time, run_sweep


def compare(
    program: str | Path | Sequence[str | Path],
    *,
    lock: str | Sequence[str] = (),
    barrier: str | Sequence[str] = (),
    strategy: str | Sequence[str] = (),
    processors: int | str | Sequence[int | str] = PROCESSORS,
    machine: str | Path = MACHINE,
    settings: Mapping[str, Any] | None = None,
    options: Sequence[str] = (),
    out: str | Path | None = None,
    jobs: int | None = None,
    simulator: str | Path | None = None,
    progress: bool | None = None,
    strict: bool = True,
    linux: bool = False,
) -> pd.DataFrame:
    """Runs a program with each of several locks, barriers or strategies, on several numbers of
    processors.

    Args:
        program: a name of `symlab list workloads`, or a C file; or Linux programs, one or several.
        lock: names or headers, such as `["mine.h", "mcs"]`, or `"all"`; `barrier` and `strategy`
            too. The kind of which there are several is compared.
        processors: numbers and ranges, such as `["1..4", 8]`.
        machine: a name of `symlab list machines`, or a config.
        settings: config key -> value, or a list of values as a further axis.
        options: for gcc, such as `["-DSIZE=8"]`.
        out: folder of the results, default results/PROGRAM-FIRST, such as results/counter-mine.
        jobs: runs at a time, default all host cores.
        simulator: path of the binary.
        progress: whether the progress is shown, default at a terminal and in a notebook.
        strict: whether an argument for which no run asks is an error.
        linux: whether C files are compiled as Linux programs.

    Returns:
        A row for each run, with the columns of `sweep`.

    Raises:
        UserError: an argument is wrong, or a program cannot be compiled.
        OutputError: a file cannot be written.
    """
    choices = {"lock": _list(lock), "barrier": _list(barrier), "strategy": _list(strategy)}
    numbers = [processors] if isinstance(processors, int | str) else processors
    programs = [program] if isinstance(program, str | Path) else program
    chosen = experiment_of(
        programs, choices, numbers, machine, settings, tuple(options), linux=linux
    )
    with progress_bar(progress, jobs_at_a_time(jobs)) as watcher:
        return run_experiment(chosen, out, jobs, simulator, watcher, strict).public_or_raise()


def run_experiment(
    chosen: Experiment,
    out: str | Path | None = None,
    jobs: int | None = None,
    simulator: str | Path | None = None,
    watcher: Watcher | None = None,
    strict: bool = True,
) -> SweepResult:
    """Builds the images, then sweeps as `run_sweep` does. Raises UserError, OutputError."""
    folder = results_folder(chosen, out)
    check_experiment(chosen, simulator)
    check_programs(chosen, simulator)
    with nothing_left(folder):
        config = prepare(chosen, folder)
    if out is None:
        note_origin(folder, chosen.files)
    order = Order(
        config, folder, jobs, simulator=simulator, strict=strict, given=chosen.settings.keys()
    )
    return run_sweep(order, watcher)


def _list(names: str | Sequence[str]) -> Sequence[str]:
    return [names] if isinstance(names, str) else names
