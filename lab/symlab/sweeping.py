# SPDX-License-Identifier: MIT
"""A sweep: the grid of a config on all host cores, then table, figure and verdicts.

    config -> points -> plan (kept / run, why) -> runs -> table -> CSV, figure, claims

An error of one run is a value in its row. Only what makes the whole sweep impossible is raised.
"""

import os
from collections.abc import Callable, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd

from symlab import grid, table
from symlab.errors import LabError, OutputError, UserError
from symlab.figure import Figure, Verdict, find_figure, save_figure, write_claims
from symlab.plan import Reason, Task, plan
from symlab.simulator import Children, Simulator, config_of, read_json
from symlab.store import FAILED, Identity, Record, Store, write_atomically

POLL_S = 0.2  # host time between two looks at finished runs; keeps Ctrl-C responsive


@dataclass(frozen=True)
class Outcome:
    """How a task ended. `folder` is None if nothing could be kept on disk."""

    status: str
    message: str = ""
    folder: Path | None = None


@dataclass
class SweepResult:
    """All of a sweep: `frame` (see `sweep`), the files written, verdicts, failed points."""

    frame: pd.DataFrame
    files: list[Path] = field(default_factory=list)
    verdicts: list[Verdict] = field(default_factory=list)
    failures: list[tuple[str, Outcome]] = field(default_factory=list)
    problems: list[LabError] = field(default_factory=list)


@dataclass(frozen=True)
class Watcher:
    """Told what happens, in the calling thread; the defaults keep silent."""

    planned: Callable[[list[Task]], None] = lambda tasks: None
    ended: Callable[[Task, Outcome], None] = lambda task, outcome: None


def sweep(
    config: str | Path,
    out: str | Path | None = None,
    jobs: int | None = None,
    overrides: Mapping[str, Any] | None = None,
    simulator: str | Path | None = None,
) -> pd.DataFrame:
    """Runs the grid of `config` and returns a row a run, in the order of the grid.

    `out`: folder of the results, default results/<config stem>; of a config in
    configs/figures/<group> results/<group>, with the runs in a folder of their own. Finished runs
    found there are kept. `jobs`: runs at a time, default all host cores. `overrides`: config key
    -> value, or a list of values as an axis. `simulator`: path of the binary.
    Columns: swept keys, simulated times in us, counts, guest results, status, then `run` (folder
    below runs/) and what depends on the host (`table.HOST_COLUMNS`). A failed run has a status
    other than "finished" and no numbers. Raises UserError, OutputError.
    """
    result = run_sweep(config, out, jobs, overrides, simulator)
    if result.problems:
        raise result.problems[0]
    return result.frame


def run_sweep(
    config: str | Path,
    out: str | Path | None = None,
    jobs: int | None = None,
    overrides: Mapping[str, Any] | None = None,
    simulator: str | Path | None = None,
    watcher: Watcher | None = None,
) -> SweepResult:
    """As `sweep`, with all that came of it; what cannot be written is in `problems`."""
    watcher = watcher or Watcher()
    jobs = len(os.sched_getaffinity(0)) if jobs is None else jobs
    if jobs < 1:
        raise UserError(f"--jobs {jobs}: at least one run at a time is needed")
    file = grid.load(config)
    points = grid.points(file, overrides)
    folder = Path(out) if out is not None else Path("results") / (file.group or file.name)
    binary = Simulator(simulator)
    store = Store((folder / file.name if file.group and out is None else folder).absolute())
    with store.locked() as lock:
        tasks = plan(points, file.config, binary, store, jobs)
        watcher.planned(tasks)
        outcomes = _execute(tasks, file.config, binary, store, jobs, lock, watcher)
        return _finish(file, tasks, outcomes, folder)


def _execute(
    tasks: list[Task],
    config: Path,
    simulator: Simulator,
    store: Store,
    jobs: int,
    lock: int,
    watcher: Watcher,
) -> list[Outcome]:
    """Outcomes in the order of `tasks`. Long points start first, so that none is left alone at
    the end; points that resolve to the same run share it."""
    done: dict[str, Outcome] = {}
    for task in tasks:
        if task.reason is Reason.KEPT:
            done[task.name] = Outcome("finished", folder=store.runs / task.name)
    waiting = {t.name: t for t in tasks if t.identity and t.name not in done}
    children = Children()
    pool = ThreadPoolExecutor(jobs)
    pending: dict[Future[Outcome], Task] = {}
    try:
        for task in sorted(waiting.values(), key=lambda t: -t.point.weight):
            future = pool.submit(_run_task, task, config, simulator, store, children, lock)
            pending[future] = task
        while pending:
            ready, _ = wait(pending, timeout=POLL_S, return_when=FIRST_COMPLETED)
            for future in ready:
                task = pending.pop(future)
                done[task.name] = future.result()
                watcher.ended(task, done[task.name])
    except BaseException:  # Ctrl-C, or a watcher's error: leave no run behind
        for future in pending:
            future.cancel()
        children.stop_all()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
    refused = {id(t): Outcome("user-error", t.detail) for t in tasks if t.identity is None}
    return [refused.get(id(t)) or done[t.name] for t in tasks]


def _run_task(
    task: Task, config: Path, simulator: Simulator, store: Store, children: Children, lock: int
) -> Outcome:
    """One run from empty folder to committed folder; errors are values."""
    assert task.identity is not None
    try:
        folder = store.begin(task.name)
        ended = simulator.run_into(config, task.point.settings, folder, children, (lock,))
        if children.stopping:  # its partial folder tells the next sweep it was interrupted
            return Outcome("interrupted")
        status, message = ended.status, ended.message
        if status == "finished":
            status, message = _checked(folder, task.identity, simulator)
        record = Record(task.point.coordinates, task.identity, status, ended.exit_code, message)
        return Outcome(status, message, store.commit(task.name, record))
    except OSError as error:
        return Outcome("output-error", f"{error.strerror}: {error.filename or store.runs}")


def _checked(folder: Path, identity: Identity, simulator: Simulator) -> tuple[str, str]:
    """Whether a run that says it finished left what was asked for, and is the one it is named."""
    summary = read_json(folder / "summary.json")
    if summary is None:
        return "output-error", "exit code 0, but summary.json is missing or cut off"
    loaded = (summary.get("guest") or {}).get("sha256")
    if loaded and identity.image_sha256 and loaded != identity.image_sha256:
        return "image-changed", "the guest image was rebuilt during the sweep; sweep again"
    config = Identity.of(config_of(folder), None, "").config
    if not config or any(identity.config.get(key) != value for key, value in config.items()):
        return "config-changed", "the config was edited during the sweep; sweep again"
    if simulator.replaced:
        return "simulator-changed", "the simulator was rebuilt during the sweep; sweep again"
    return "finished", ""


def _finish(
    file: grid.SweepFile, tasks: list[Task], outcomes: list[Outcome], folder: Path
) -> SweepResult:
    keys = list(grid.short_names(tasks[0].point.coordinates).values())
    figure = find_figure(file.figure or file.name, keys)
    frame = tabulate(tasks, outcomes, figure)
    result = SweepResult(frame)
    result.failures = [
        (task.point.label, outcome)
        for task, outcome in zip(tasks, outcomes, strict=True)
        if outcome.status != "finished"
    ]
    public = table.without_host(frame)
    host = table.only_host(frame, keys)

    def written(path: Path, data: bytes) -> list[Path]:
        write_atomically(path, data)
        return [path]

    runs = f"{file.name}-runs.csv" if figure.tidy else f"{file.name}.csv"
    steps: list[Callable[[], list[Path]]] = [
        lambda: written(folder / runs, table.csv_bytes(public)),
        lambda: written(folder / f"{file.name}-host.csv", table.csv_bytes(host)),
        lambda: save_figure(figure, public, folder, file.name),
        lambda: _judge(figure, public, folder, file.name, result),
    ]
    if figure.tidy:
        csv = folder / f"{file.name}.csv"
        steps.append(lambda: written(csv, table.csv_bytes(figure.series(public))))
    for step in steps:  # a figure that cannot be drawn must not cost the table, nor a full disk
        try:
            result.files += step()
        except (UserError, OutputError) as error:
            if str(error) not in map(str, result.problems):
                result.problems.append(error)
    return result


def _judge(
    figure: Figure, runs: pd.DataFrame, folder: Path, name: str, result: SweepResult
) -> list[Path]:
    result.verdicts = figure.judge(runs)
    return write_claims(result.verdicts, folder, name) if result.verdicts else []


def tabulate(tasks: list[Task], outcomes: list[Outcome], figure: Figure) -> pd.DataFrame:
    """A row a task: coordinates, the guest's other arguments, what was measured, status, host."""
    names = grid.short_names(tasks[0].point.coordinates)
    rows = []
    arguments: dict[str, str] = {}
    for task in tasks:
        for key in task.identity.config if task.identity else ():
            if key.startswith("guest.args.") and key not in names:
                arguments[key] = key.removeprefix("guest.args.")
    for key, short in arguments.items():
        if short in names.values():
            arguments[key] = f"argument_{short}"
    for task, outcome in zip(tasks, outcomes, strict=True):
        row: dict[str, Any] = {names[k]: v for k, v in task.point.coordinates.items()}
        config = task.identity.config if task.identity else {}
        row |= {column: config.get(key) for key, column in arguments.items()}
        if outcome.status == "finished" and outcome.folder is not None:
            summary = read_json(outcome.folder / "summary.json") or {}
            host = read_json(outcome.folder / "host.json") or {}
            row |= table.summary_columns(summary, row)
            row |= figure.measure(outcome.folder)
            row |= table.host_columns(host, summary.get("simulated_us"))
        row["status"] = outcome.status
        row["run"] = task.name + (FAILED if outcome.status != "finished" and task.name else "")
        rows.append(row)
    first = [*names.values(), *arguments.values()]
    return table.frame(rows, first, ["status", *table.HOST_COLUMNS])
