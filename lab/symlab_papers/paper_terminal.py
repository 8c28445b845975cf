# SPDX-License-Identifier: MIT
"""Makes a paper for `symlab paper`: progress and messages go to the terminal."""

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import typer
from symlab import places
from symlab.errors import LabError, UserError
from symlab.files import read_json
from symlab.runs.planned import clock
from symlab.runs.published import refuse_changed_tree
from symlab.runs.screen import Screen
from symlab.runs.simulator import Simulator
from symlab.runs.sweep_report import report
from symlab.runs.sweep_terminal import stopped
from symlab.runs.sweeping import Order, jobs_at_a_time, store_of
from symlab.terminal import console, errors, print_json, warn, wrote

from symlab_papers import sensitivity
from symlab_papers.cost import EQUAL_WAKE_NS, FILE, Cost, HostTime, document, write_cost
from symlab_papers.gather import gather
from symlab_papers.host_facts import host_facts
from symlab_papers.host_speed import find_parts, kernel_wake_ns
from symlab_papers.pages import update
from symlab_papers.paper import Paper, Part, find_paper, parts, results_of
from symlab_papers.quick import quick_tables
from symlab_papers.reproduce import Reproduction, known_weights, remove_runs
from symlab_papers.stages import Figures, Sensitivity, Spread, Stage, Step
from symlab_papers.versions import FILE as VERSIONS

COMPLETE, QUICK = "complete", "quick"
WITHOUT_RUNS = ("claims", "pages")


def paper_on_terminal(
    name: str,
    figure: str | None,
    what: str,
    order: Order,
    out: Path | None = None,
    fresh: bool = False,
    verbose: bool = False,
) -> None:
    """Runs the sweeps of a paper and writes its figures and claims.

    `what`: "figures", COMPLETE, QUICK, "spread", "sensitivity" or one of WITHOUT_RUNS. `order`: for
    all sweeps. `out`: as for `results_of`. `fresh`: removes earlier runs
    first. Raises LabError, and typer.Exit if a run failed.
    """
    paper = find_paper(name)
    everything, chosen = parts(paper), parts(paper, figure)
    folder = results_of(name, out)
    order = replace(order, shared=folder)
    if what in WITHOUT_RUNS:
        if fresh:
            raise UserError(f"--fresh: {what} runs nothing; drop one of them")
        _write(paper, everything, folder, out, what)
        return
    refuse_changed_tree(folder / VERSIONS)
    stages = _stages(paper, chosen, order, folder, what)
    whole = what == COMPLETE and figure is None
    wake = _kernel_wake(order) if whole else lambda: None
    before_ns, begin_s = wake(), time.monotonic()
    reproduction = _run(stages, order, folder, fresh, verbose)
    _write(paper, everything, folder, out, what)
    if whole:
        took = HostTime(time.monotonic() - begin_s, _jobs(order), (before_ns, wake()))
        _write_cost(reproduction, took, folder)
    if reproduction.failed:
        errors.print(f"failed: {', '.join(reproduction.failed)}")
        raise typer.Exit(1)


def print_claims(name: str, out: Path | None) -> None:
    """Prints the verdicts of all claims as JSON: the content of claims.json."""
    print_json(read_json(results_of(name, out) / "claims.json"))


def _write(paper: Paper, everything: list[Part], folder: Path, out: Path | None, what: str) -> None:
    """Writes the files of the paper from the tables of its sweeps."""
    if what == "pages":
        files = update(paper.name, out)
    else:
        files = (quick_tables if what == QUICK else gather)(paper, everything, folder)
    console.print(f"wrote {len(files)} files, the last {files[-1]}")


def _stages(paper: Paper, chosen: list[Part], order: Order, folder: Path, what: str) -> list[Stage]:
    """The stages of `what`, in the order in which each finds the files that it needs."""
    stages: list[Stage] = []
    if what in ("spread", COMPLETE):
        stages.append(Spread(chosen, order, folder, report))
    if what in ("sensitivity", COMPLETE):
        stages.append(
            Sensitivity(
                paper, chosen, order, folder, report,
                lambda: sensitivity.load_guesses(paper, Simulator(order.simulator)),
            )
        )  # fmt: skip
    if what in ("figures", QUICK, COMPLETE):
        stages.append(Figures(chosen, order, folder, report, quick=what == QUICK))
    if not any(stage.steps for stage in stages):
        console.print(f"no sweep of {paper.name} that was chosen has a size for {what}")
    return stages


def _run(
    stages: list[Stage], order: Order, folder: Path, fresh: bool, verbose: bool
) -> Reproduction:
    """Runs the stages."""
    steps = [step for stage in stages for step in stage.steps]
    jobs = _jobs(order)
    reproduction = Reproduction(
        stages,
        known_weights(steps, folder),
        screen=lambda line: Screen(console, jobs, lambda: f"all sweeps: {line()}", verbose),
        announce=_announce,
        line=_line,
    )
    if fresh:
        console.print(f"removed {remove_runs(steps)} runs")
    try:
        reproduction.run()
    except KeyboardInterrupt:
        stopped()
    wrote(*reproduction.files)
    return reproduction


def _write_cost(reproduction: Reproduction, took: HostTime, folder: Path) -> None:
    """Writes cost.json, and prints what the reproduction cost."""
    cost = reproduction.cost
    facts = host_facts(_compiler([step for stage in reproduction.stages for step in stage.steps]))
    content = document(cost, took, bool(reproduction.failed), facts)
    wrote(write_cost(folder, content))
    for line in cost_lines(cost, took):
        console.print(line)


def _jobs(order: Order) -> int | None:
    """Runs at a time; None if not known."""
    return None if order.scheduler else jobs_at_a_time(order.jobs)


def _announce(title: str, line: str) -> None:
    """A line above the sweep. A log gets it whole, however narrow it is."""
    if console.is_terminal:
        console.rule(f"{title}, {line}", align="left")
    else:
        console.print(f"{title}, {line}")


def _line(number: int, total: int, elapsed_s: float, left_s: float | None) -> str:
    left = "" if left_s is None else f", at most about {clock(left_s)} left"
    return f"{number} of {total}; {clock(elapsed_s)} elapsed{left}"


def _kernel_wake(order: Order) -> Callable[[], float | None]:
    """A function that measures this host's kernel_wake in ns; it gives None if it cannot, or if the
    runs are made elsewhere."""
    if order.scheduler:
        return lambda: None
    try:
        parts_of_bench = find_parts(places.simulator(order.simulator))
    except UserError as error:
        warn(f"kernel_wake is not measured: {error}")
        return lambda: None

    def measure() -> float | None:
        try:
            return kernel_wake_ns(parts_of_bench)
        except LabError as error:
            warn(str(error))
            return None

    return measure


def _compiler(steps: list[Step]) -> str:
    """The compiler of the simulator, as a run has recorded it."""
    for step in steps:
        for file in sorted(store_of(step.order).runs.glob("*/host.json")):
            if found := (read_json(file) or {}).get("compiler"):
                return str(found)
    return "unknown"


def cost_lines(cost: Cost, took: HostTime) -> list[str]:
    """What the reproduction cost, in lines for the terminal."""
    lines = [
        f"{cost.runs:,} runs, {cost.made:,} of them made now, in {clock(took.elapsed_s)}; "
        f"CPU time of the simulator {clock(cost.cpu_s)}"
    ]
    before, after = took.wake_ns
    if took.equal_s is not None:
        lines.append(
            f"kernel_wake {before:.0f} ns before, {after:.0f} ns after; at {EQUAL_WAKE_NS:g} ns it "
            f"would be {clock(took.equal_s)}"
        )
    if cost.made < cost.runs:
        lines.append(
            f"{FILE} is marked as not complete: {cost.runs - cost.made:,} runs were there before; "
            "--fresh makes them again"
        )
    return lines
