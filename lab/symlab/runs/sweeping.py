# SPDX-License-Identifier: MIT
"""A sweep runs the grid of a config on all host cores or a cluster, then writes its results.

    config -> points -> plan (kept / run, why) -> runs -> table -> CSV, figure, claims

The error of a single run becomes the status in its row. An exception is raised only if the whole
sweep is impossible.
"""

import os
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pandas as pd

from symlab import places
from symlab.errors import LabError, OutputError, UserError
from symlab.files import read_json, write_all
from symlab.plot.figure import Figure, Verdict, find_figure, is_known
from symlab.plot.look import guessed
from symlab.results import public as attributes
from symlab.results import table
from symlab.results.columns import HOST_COLUMNS, is_taken
from symlab.results.csv_file import csv_bytes
from symlab.runs import grid
from symlab.runs.beforehand import check_axes, refuse_if_none_fits
from symlab.runs.executing import Outcome, Runner, Watcher, execute
from symlab.runs.failures import FailedSeries, axes_without_effect, failed_series
from symlab.runs.local_runner import LocalRunner
from symlab.runs.one_run import Run
from symlab.runs.origin import note_origin, refuse_other_origin
from symlab.runs.plan import Planning, Reason, Task, plan
from symlab.runs.published import current_commit, refuse_changed_tree
from symlab.runs.scheduler_address import check_address
from symlab.runs.screen import progress_bar
from symlab.runs.simulator import Simulator
from symlab.runs.store import FAILED, Store
from symlab.runs.unused import Arguments


@dataclass(frozen=True)
class Order:
    """What to sweep, where to and on which host: the arguments of `sweep`, and two more.

    `shared`: folder of a group's results if `out` is None, default results/<group>. `figure`:
    replaces the figure that the config names. `most_points`: a larger grid is an error. `strict`:
    so is an argument for which no run asks; else it becomes a note. `given`: keys of the config
    that the user has given.
    """

    config: str | Path
    out: str | Path | None = None
    jobs: int | None = None
    overrides: Mapping[str, Any] = field(default_factory=dict)
    simulator: str | Path | None = None
    scheduler: str | None = None
    shared: Path | None = None
    figure: Figure | None = None
    most_points: int = grid.MOST_POINTS
    strict: bool = True
    given: Collection[str] = ()


@dataclass
class SweepResult:
    """The results of a sweep.

    `frame`: its rows. `folder`, `name`: of its tables. `files`: those written. `failures`: label
    and outcome of each point without a finished run. `failed_series`: the plain plot's curves that
    lack some of these. `notes`: what is probably not what the user meant. `problems`: errors in
    writing or drawing.
    """

    frame: pd.DataFrame
    folder: Path = Path()
    name: str = ""
    files: list[Path] = field(default_factory=list)
    verdicts: list[Verdict] = field(default_factory=list)
    failures: list[tuple[str, Outcome]] = field(default_factory=list)
    failed_series: list[FailedSeries] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    problems: list[LabError] = field(default_factory=list)

    def public_or_raise(self) -> pd.DataFrame:
        """The frame for users. Raises the first of the problems, if there are any."""
        if self.problems:
            raise self.problems[0]
        return attributes.public(self.frame, self.folder, self.name)


def sweep(
    config: str | Path,
    *,
    settings: Mapping[str, Any] | None = None,
    out: str | Path | None = None,
    jobs: int | None = None,
    simulator: str | Path | None = None,
    scheduler: str | None = None,
    progress: bool | None = None,
    most_points: int = grid.MOST_POINTS,
    strict: bool = True,
) -> pd.DataFrame:
    """Runs the grid of a config.

    Args:
        config: a config with a table `[sweep]`, or any with an axis in `settings`.
        settings: config key -> value, or a list of values as an axis.
        out: folder of the results, default results/CONFIG. For a config in papers/GROUP/figures or
            configs/figures/GROUP it is results/GROUP, with a subfolder for its runs. Finished runs
            in that folder are kept.
        jobs: runs at a time, default all host cores.
        simulator: path of the binary.
        scheduler: address of a dask.distributed cluster whose workers make the runs.
        progress: whether the progress is shown, default at a terminal and in a notebook.
        most_points: a larger grid is an error.
        strict: whether a guest argument for which no run asks is an error, since it may be
            misspelt. The sweep then ends with the first run that shows it.

    Returns:
        A row for each run, in grid order. Columns: swept keys, simulated times in us, counts, guest
            results, status, then `run` (folder below runs/) and the others that depend on the
            host. A failed run has a status other than "finished" and no numbers. Its `attrs` have
            `folder`, `config`, `commit` and `units`; `Run.of_sweep` gives the runs.

    Raises:
        UserError: the config, a setting or a path is wrong.
        OutputError: a file cannot be written.
        ClusterError: the cluster is lost; finished runs are kept.
    """
    order = Order(
        config, out, jobs, settings or {}, simulator, scheduler,
        most_points=most_points, strict=strict,
    )  # fmt: skip
    with progress_bar(progress, None if scheduler else jobs_at_a_time(jobs)) as watcher:
        return run_sweep(order, watcher).public_or_raise()


def run_sweep(order: Order, watcher: Watcher | None = None) -> SweepResult:
    """As `sweep`, but returns files, verdicts and failures too. Write errors go to `problems`.
    `watcher`: gets the progress."""
    watcher = watcher or Watcher()
    if order.scheduler is not None and order.jobs is not None:
        raise UserError("--jobs: how many runs a cluster makes at a time, its workers say; drop it")
    jobs = jobs_at_a_time(order.jobs)
    if order.scheduler is not None:
        check_address(order.scheduler)
    file, points, folder, store = _opened(order)
    find_figure(file.figure or file.name, [], file.look)  # a mistake is reported before the runs
    refuse_changed_tree(folder / f"{file.name}.csv")
    origin = {} if order.out is not None or file.group else {"config": file.config}
    refuse_other_origin(folder, origin)
    binary = Simulator(order.simulator)
    check_axes(file, binary)
    refuse_if_none_fits(points, file.config, binary)
    with store.locked() as lock, binary.serving(min(jobs, len(points)), (lock,)):
        tasks = plan(points, file.config, binary, store, jobs, planning=watcher.planning)
        watcher.planned(tasks)
        arguments = Arguments(tasks, order.strict, {*order.overrides, *order.given})
        for task in tasks:
            if task.reason is Reason.KEPT:
                arguments.ended(task, Outcome("finished", folder=store.runs / task.name))

        def ended(task: Task, outcome: Outcome) -> None:
            watcher.ended(task, outcome)
            arguments.ended(task, outcome)

        runner: Runner
        if order.scheduler is None:
            runner = LocalRunner(file.config, binary, store, jobs, lock)
        else:
            from symlab.runs.cluster import ClusterRunner  # importing distributed takes a second

            runner = ClusterRunner(order.scheduler, file.config, binary, store)
        outcomes = execute(tasks, store, runner, replace(watcher, ended=ended))
        if origin:
            note_origin(folder, origin)
        attributes.note(store.runs.parent, file.name, file.config, current_commit())
        result = _finish(file, tasks, outcomes, folder, order.figure)
        result.notes += arguments.sentences
        return result


def plan_sweep(order: Order, planning: Planning = lambda done, points: None) -> list[Task]:
    """What `run_sweep` would do: a task for each point of the grid. For `planning` see `plan`. Runs
    nothing and writes nothing; only guests of this tree that no one has built are built."""
    file, points, _, store = _opened(order)
    binary = Simulator(order.simulator)
    check_axes(file, binary)
    jobs = jobs_at_a_time(order.jobs)
    return plan(points, file.config, binary, store, jobs, dry=True, planning=planning)


def store_of(order: Order) -> Store:
    """Where `run_sweep` keeps the runs. Raises UserError."""
    return _opened(order)[3]


def number_of_points(order: Order) -> int:
    """How many points the grid of the sweep has. Raises UserError."""
    return len(_opened(order)[1])


def jobs_at_a_time(jobs: int | None) -> int:
    """`jobs`, or else the number of host cores. Raises UserError if it is less than one."""
    jobs = len(os.sched_getaffinity(0)) if jobs is None else jobs
    if jobs < 1:
        raise UserError(f"--jobs {jobs}: at least one run at a time is needed")
    return jobs


def _opened(order: Order) -> tuple[grid.SweepFile, list[grid.Point], Path, Store]:
    """The config with its points, the folder of the results, and the store of the runs in that
    folder or below."""
    file = grid.with_look(grid.load(places.find(order.config), order.overrides), order.overrides)
    shared = (order.shared or Path("results") / file.group) if file.group else None
    if order.out is not None or shared is None:
        folder = store = Path("results") / file.name if order.out is None else Path(order.out)
    else:
        folder, store = shared, shared / file.name
    points = grid.points(file, order.overrides, order.most_points)
    return file, points, folder, Store(store.absolute())


def _finish(
    file: grid.SweepFile,
    tasks: list[Task],
    outcomes: list[Outcome],
    folder: Path,
    figure: Figure | None,
) -> SweepResult:
    from symlab.plot.render import save_figure  # matplotlib takes half a second to import

    keys = list(_columns(tasks).values())
    figure = figure or find_figure(file.figure or file.name, keys, file.look)
    frame = tabulate(tasks, outcomes, figure)
    ends = ((task.point.label, end) for task, end in zip(tasks, outcomes, strict=True))
    failures = [one for one in ends if one[1].status != "finished"]
    result = SweepResult(frame, folder, file.name, failures=failures)
    result.failed_series = failed_series(frame, guessed(frame, keys).by)
    if (name := file.figure or "") and not is_known(name):
        result.notes.append(f"figure.name {name}: symlab has no such figure; this is a plain plot")
    names = {column: key for key, column in _columns(tasks).items()}
    public = frame.drop(columns=list(HOST_COLUMNS))
    host = frame[[*keys, "status", *HOST_COLUMNS]]

    result.notes += [
        f"{names[column]}: no number of any run depends on it; does the program use it?"
        for column in axes_without_effect(public, keys)
    ]

    def written(ending: str, data: pd.DataFrame) -> list[Path]:
        return write_all(folder, {file.name + ending: csv_bytes(data)})

    def judged() -> list[Path]:
        result.verdicts = figure.judge(public)
        files = figure.files_of(result.verdicts, file.name) if result.verdicts else {}
        return write_all(folder, files)

    steps: list[Callable[[], list[Path]]] = [
        lambda: written("-runs.csv" if figure.tidy else ".csv", public),
        lambda: written("-host.csv", host),
        lambda: save_figure(figure, public, folder, file.name),
        judged,
    ]
    if figure.tidy:
        steps.append(lambda: write_all(folder, {f"{file.name}.csv": figure.csv(public)}))
    for step in steps:  # if one file fails (cannot be drawn, disk full), still try the others
        try:
            result.files += step()
        except (UserError, OutputError) as error:
            if str(error) not in map(str, result.problems):
                result.problems.append(error)
    return result


def _columns(tasks: list[Task]) -> dict[str, str]:
    """Swept key -> column. All tasks are searched, since invalid ones may lack the seed."""
    return grid.short_names(dict.fromkeys(key for task in tasks for key in task.point.coordinates))


def tabulate(tasks: list[Task], outcomes: list[Outcome], figure: Figure) -> pd.DataFrame:
    """One row per task: coordinates, other guest arguments, measurements, status, host columns."""
    names = _columns(tasks)
    rows = []
    arguments: dict[str, str] = {}
    for task in tasks:
        for key in task.identity.config if task.identity else ():
            if key.startswith("guest.args.") and key not in names:
                short = key.removeprefix("guest.args.")
                taken = short in names.values() or is_taken(short)
                arguments[key] = f"argument_{short}" if taken else short
    for task, outcome in zip(tasks, outcomes, strict=True):
        row: dict[str, Any] = {names[k]: v for k, v in task.point.coordinates.items()}
        config = task.identity.config if task.identity else {}
        row |= {column: config.get(key) for key, column in arguments.items()}
        if outcome.status == "finished" and outcome.folder is not None:
            summary = read_json(outcome.folder / "summary.json") or {}
            host = read_json(outcome.folder / "host.json") or {}
            row |= table.summary_columns(summary, row)
            row |= figure.measure(Run(outcome.folder, summary))
            row |= table.host_columns(host, summary.get("simulated_us"))
        row["status"] = outcome.status
        failed = FAILED if outcome.status != "finished" else ""
        row["run"] = task.name + failed if task.name else None
        rows.append(row)
    first = [*names.values(), *arguments.values()]
    return table.frame(rows, first, ["status", *HOST_COLUMNS])
