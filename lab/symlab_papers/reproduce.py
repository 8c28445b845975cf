# SPDX-License-Identifier: MIT
"""Makes a paper for `symlab paper`: its targets one after the other, with progress on the terminal.

If a sweep fails, the next one is still made. Finished runs are kept, as by `sweep`, so an
interrupted reproduction resumes when it is started again.

At the end of a sweep cores wait for its last run. A common queue of all sweeps would avoid that.
By the weights of `cost.Work` the wait costs ALL only 7 s of 2,140 s on two cores.
"""

import json
import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

import typer
from symlab import places
from symlab.errors import LabError, OutputError, UserError
from symlab.files import read_json, write_all
from symlab.results.loading import read_runs
from symlab.runs.planned import clock
from symlab.runs.published import refuse_changed_tree
from symlab.runs.screen import Screen
from symlab.runs.sweep_terminal import report, stopped
from symlab.runs.sweeping import Order, jobs_at_a_time, number_of_points, run_sweep, store_of
from symlab.terminal import console, errors, warn, wrote

from symlab_papers.cost import FILE, SHORT_RUN_S, Cost, cost_lines, known_work, work_of
from symlab_papers.gather import gather, has_runs
from symlab_papers.host import find_parts, host_facts, kernel_wake_ns
from symlab_papers.kept_rows import VERSIONS
from symlab_papers.pages import update
from symlab_papers.paper import find_paper, parts, results_of
from symlab_papers.quick import quick_tables
from symlab_papers.targets import COMPLETE, QUICK, Target, targets

WITHOUT_RUNS = ("claims", "pages")


@dataclass
class Made:
    """What has been made of the targets so far."""

    cost: Cost = field(default_factory=Cost)
    failed: list[str] = field(default_factory=list)
    files: dict[Path, None] = field(default_factory=dict)


def reproduce(
    name: str, figure: str | None, what: str, order: Order, out: Path | None = None,
    fresh: bool = False, verbose: bool = False,
) -> None:  # fmt: skip
    """Runs the sweeps of a paper and writes its figures and claims.

    `what`: "figures", COMPLETE, QUICK, "spread", "sensitivity" or one of WITHOUT_RUNS. `order`: for
    all sweeps. `out`: as for `results_of`. `fresh`: removes earlier runs first. Raises LabError,
    and typer.Exit if a run failed.
    """
    paper, folder = find_paper(name), results_of(name, out)
    chosen, made, whole = parts(paper, figure), Made(), what == COMPLETE and figure is None
    if what not in WITHOUT_RUNS:
        refuse_changed_tree(folder / VERSIONS.file)
        wanted = targets(paper, chosen, replace(order, shared=folder), folder, what)
        if not wanted:
            console.print(f"no sweep of {name} that was chosen has a size for {what}")
        wake = kernel_wake(order) if whole else lambda: None
        before_ns, begin_s = wake(), time.monotonic()
        if fresh:
            console.print(f"removed {remove_runs(wanted)} runs")
        jobs = None if order.scheduler else jobs_at_a_time(order.jobs)
        make(wanted, folder, jobs, verbose, made)
        wrote(*made.files)
    elif fresh:
        raise UserError(f"--fresh: {what} runs nothing; drop one of them")
    if what == "pages":
        files = update(name, out)
    else:
        files = (quick_tables if what == QUICK else gather)(paper, parts(paper), folder)
    console.print(f"wrote {len(files)} files, the last {files[-1]}")
    if whole:
        took_s, wakes = time.monotonic() - begin_s, (before_ns, before_ns and wake())
        facts = host_facts(_compiler(wanted))
        cost = made.cost.document(took_s, jobs, wakes, bool(made.failed), facts)
        wrote(*write_all(folder, {FILE: (json.dumps(cost, indent=1) + "\n").encode()}))
        for line in cost_lines(cost):
            console.print(line)
    if made.failed:
        errors.print(f"failed: {', '.join(made.failed)}")
        raise typer.Exit(1)


def make(wanted: list[Target], folder: Path, jobs: int | None, verbose: bool, made: Made) -> None:
    """Makes the targets, and adds to `made`. Raises LabError, and typer.Exit after Ctrl-C."""
    weights, begin_s, done, took_s = known_weights(wanted, folder), time.monotonic(), 0.0, 0.0
    try:
        for number, target in enumerate(wanted):
            start_s = time.monotonic()
            pace = took_s / done if done else None
            line = partial(_line, number, weights, pace, begin_s, start_s)
            _announce(f"{target.title}, {line()}")
            with Screen(console, jobs, line, verbose) as shown:
                result = run_sweep(target.order, shown.watcher)
            done += made.cost.add(target.name, result.frame, shown.ended_runs).weight_made
            took_s += time.monotonic() - start_s
            if target.is_figure or result.failures:
                report(result)
            if target.failed(result):
                made.failed.append(target.name)
            if file := target.make(result):
                made.files[file] = None
    except KeyboardInterrupt:
        stopped()


def _line(
    number: int, weights: list[float | None], pace: float | None, begin_s: float, start_s: float
) -> str:
    """How far the reproduction is at its sweep `number`, which has begun at `start_s`."""
    now_s = time.monotonic()
    left_s = time_left_s(weights[number:], pace, now_s - start_s)
    left = "" if left_s is None else f", at most about {clock(left_s)} left"
    return f"{number + 1} of {len(weights)}; {clock(now_s - begin_s)} elapsed{left}"


def time_left_s(
    weights: Sequence[float | None], pace: float | None, spent_s: float
) -> float | None:
    """Host seconds for the remaining sweeps, of which the first has taken `spent_s` so far, if all
    their runs are made. `pace`: host seconds for a weight of 1. None if that or a weight is not
    known."""
    known = [weight * pace for weight in weights if weight is not None and pace is not None]
    if pace is None or len(known) < len(weights):
        return None
    return max(sum(known[:1]) - spent_s, 0.0) + sum(known[1:])


def known_weights(wanted: list[Target], folder: Path) -> list[float | None]:
    """The weight of each sweep's work in the last reproduction into `folder`: from cost.json, else
    from the table of a figure, or from the number of points if these are short. None if there is no
    table."""
    known = known_work(folder)
    return [
        known[target.name].weight if target.name in known else _estimated(target, folder)
        for target in wanted
    ]


def _estimated(target: Target, folder: Path) -> float | None:
    if not target.is_figure:
        return number_of_points(target.order) * SHORT_RUN_S
    if not has_runs(folder, target.part):
        return None
    runs = read_runs(folder, target.name)
    # The column is missing if every run has failed.
    return work_of(runs, set()).weight if "instructions" in runs else None


def remove_runs(wanted: list[Target]) -> int:
    """Removes the runs that earlier sweeps of these targets have left; returns their number. Raises
    UserError if one is being swept, OutputError if a folder cannot be removed."""
    removed = 0
    for target in wanted:
        store = store_of(target.order)
        if not store.runs.is_dir():
            continue
        with store.locked():
            removed += sum(path.is_dir() for path in store.runs.iterdir())
            try:
                shutil.rmtree(store.runs)
            except OSError as error:
                raise OutputError(f"{store.runs}: cannot be removed: {error.strerror}") from error
    return removed


def _announce(line: str) -> None:
    """A line above the sweep. A log gets it whole, however narrow it is."""
    if console.is_terminal:
        console.rule(line, align="left")
    else:
        console.print(line)


def kernel_wake(order: Order) -> Callable[[], float | None]:
    """A function that measures this host's kernel_wake in ns; it gives None if it cannot, or if the
    runs are made elsewhere."""

    def measure() -> float | None:
        try:
            return kernel_wake_ns(find_parts(places.simulator(order.simulator)))
        except LabError as error:
            warn(f"kernel_wake is not measured: {error}")
            return None

    return (lambda: None) if order.scheduler else measure


def _compiler(wanted: list[Target]) -> str:
    """The compiler of the simulator, as a run has recorded it."""
    hosts = (file for t in wanted for file in sorted(store_of(t.order).runs.glob("*/host.json")))
    known = ((read_json(file) or {}).get("compiler") for file in hosts)
    return next((str(compiler) for compiler in known if compiler), "unknown")
