# SPDX-License-Identifier: MIT
"""One check from its arguments to its result, without a terminal."""

import hashlib
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from symlab.checks.batch import Batch
from symlab.checks.driver import LocalPool, Pool, group_of, search
from symlab.checks.journal import Journal
from symlab.checks.prepare import Order, Prepared
from symlab.checks.rules import Violation, first_violation
from symlab.checks.schedule import Schedule
from symlab.checks.search import QUIET, Bounds, forecast, interrupts, places, shrink, starts
from symlab.checks.sources import Draws, Frontier, Pct, Source, Stress, places_of
from symlab.checks.trace import Access, Probe, Trace
from symlab.checks.worker import Plan, Tally, Worker
from symlab.runs.sweeping import jobs_at_a_time
from symlab.runs.unused import refuse_unused

JOURNAL = "journal.jsonl"
DECIDING = ("rules", "search", "sources", "trace")  # modules: a change begins a new journal
FIRST_LIMIT_MS = 1000.0  # simulated time of the run without holds; run.limit_ms changes it
SHORTEST_PS = 10_000_000  # of a checked part, for programs that share nothing: a guess
ROOM = 2  # the limit of a run, in times of all its holds: they may be lengthened to twice
SHORT_S = 1.0  # host time of a run that is made twice, to know how long it takes
PATIENCE = 4  # times the limit, before a processor that waits is said to wait for ever


@dataclass(frozen=True)
class Forecast:
    """What the run without holds says of the search. `accesses`: to shared memory. `places`: where
    a processor, or its stores, can be held against a conflicting access of another. `schedules`:
    about how many with at most 0, 1, 2 ... preemptions, up to those that are asked for; empty if
    the search is not exhaustive. `run_s`: host time of a run. `jobs`: runs at a time."""

    accesses: int
    places: int
    schedules: tuple[int, ...]
    run_s: float
    jobs: int

    def seconds(self, schedules: int) -> float:
        return schedules * self.run_s / self.jobs


@dataclass(frozen=True)
class Watcher:
    """Callbacks for progress; the defaults do nothing. `begins`: what is done now, in words.
    `waits`: again and again meanwhile. `foresees`: after the run without holds. `searched`: after
    each group of runs, and while one takes long."""

    begins: Callable[[str], None] = lambda words: None
    waits: Callable[[], None] = lambda: None
    foresees: Callable[[Forecast], None] = lambda forecast: None
    searched: Callable[[Tally, Source], None] = lambda tally, source: None


@dataclass(frozen=True)
class Failure:
    """A violation with the shortest schedule that shows it, and that run."""

    violation: Violation
    schedule: Schedule
    trace: Trace
    found: Schedule
    runs: int  # of the search, up to the one that found it


@dataclass(frozen=True)
class Answer:
    """`complete`: no schedules were left within the bounds. `whole`: none was left out because too
    many were pending. `pct`: of a random search. `seconds`:
    host time of this call. `made`: runs of this call, the others are of the journal. `first`: the
    run without holds."""

    order: Order
    prepared: Prepared
    tally: Tally
    complete: bool
    whole: bool
    failure: Failure | None
    pct: Pct | None
    bounds: Bounds
    seconds: float
    made: int
    first: Trace
    limit_ms: float


def check(
    order: Order, prepared: Prepared, watcher: Watcher | None = None, scheduler: str | None = None
) -> Answer:
    """Searches, on this host or on the cluster of `scheduler`. Raises UserError, RunFailed,
    LabError; KeyboardInterrupt, after which the same call continues where it stopped."""
    watcher = watcher or Watcher()
    began_s = time.monotonic()
    limit_ms = float(order.settings.get("run.limit_ms", FIRST_LIMIT_MS) or FIRST_LIMIT_MS)
    watcher.begins("makes the run without holds")
    with Batch(prepared.command({"run.limit_ms": limit_ms}), watcher.waits) as batch:
        first, run_s = _first_run(batch)
    if order.strict and first.status == "finished":
        refuse_unused(first.unused_arguments, order.settings)
    bounds, limit_ms = _bounds(order, prepared.processors, first)
    patient_ms, exhaustive = PATIENCE * limit_ms, order.search == "exhaustive"
    command, patient = (prepared.command({"run.limit_ms": ms}) for ms in (limit_ms, patient_ms))
    plan = Plan(command, patient, prepared.setting, bounds, exhaustive)
    pct = None
    source: Source
    if exhaustive:
        more = interrupts(first) if order.interrupts and order.preemptions else []
        source = Frontier([*starts(bounds), *more], order.preemptions)
    elif order.search == "stress":
        stress = Stress(prepared.processors, bounds.quiet_ns)
        source = Draws(stress, order.seed, order.most)
    else:
        pct = Pct(prepared.processors, order.depth, bounds.quiet_ns, places_of(first))
        source = Draws(pct, order.seed, order.most)
    identity = prepared.identity() | {
        "lab": _identity_of_modules(),
        "plan": [[*prepared.setting[:-1], sorted(order.ignored)], bounds],
        "search": [order.search, order.depth, order.seed, order.preemptions, order.interrupts],
    }
    until_s = None if order.minutes is None else began_s + 60 * order.minutes
    pool: Pool
    if scheduler is None:
        pool = LocalPool(plan, jobs_at_a_time(order.jobs))
    else:
        from symlab.checks.cluster import ClusterPool  # dask takes a while to import

        pool = ClusterPool(scheduler, prepared, plan, (limit_ms, patient_ms))
    try:
        watcher.foresees(_forecast(order, bounds, first, run_s, pool.workers))
        watcher.begins("reads the journal")
        with closing(Journal(prepared.folder / JOURNAL, identity)) as journal:
            watcher.begins("searches")
            group = group_of(run_s)
            tally, complete = search(source, pool, journal, until_s, watcher.searched, group)
    finally:
        pool.close()
    seconds = time.monotonic() - began_s
    failure = _failure(plan, tally, watcher) if tally.violation else None
    made = tally.schedules - len(journal.earlier)
    return Answer(
        order, prepared, tally, complete, source.whole, failure, pct, bounds, seconds, made, first,
        patient_ms,
    )  # fmt: skip


def _identity_of_modules() -> str:
    """SHA-256 of the modules of DECIDING, which are in the folder of this one."""
    files = (Path(__file__).with_name(f"{name}.py") for name in DECIDING)
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()


def _bounds(order: Order, n: int, first: Trace) -> tuple[Bounds, float]:
    """What the run without holds says: how long others need, and the limit of a run in ms."""
    # What processors do after the region does not matter, nor a wait that does not end.
    events: list[Access | Probe] = [*first.accesses, *first.probes]
    last_ps = max((event.t_ps for event in events), default=0)
    length_ps = max(last_ps - first.begin_ps, SHORTEST_PS)
    quiet_ns = QUIET * -(-length_ps // 1000)
    k = order.preemptions
    exhaustive = order.search == "exhaustive"
    delays = (n * 2**k if n > 2 else 2**k + k) if exhaustive else n + order.depth
    longest_ns = ROOM * (delays + 2) * quiet_ns
    stores = order.stores and order.search == "exhaustive"
    tail_ns = (first.end_ps - last_ps) // 1000 if first.status == "finished" else 0
    limit_ms = (first.begin_ps // 1000 + longest_ns + ROOM * tail_ns) / 1e6
    return Bounds(n, order.preemptions, quiet_ns, stores), limit_ms


def _first_run(batch: Batch) -> tuple[Trace, float]:
    """The run without holds, and the host time of such a run, without the start of a simulator."""
    began_s = time.monotonic()
    first = Trace(batch.run(()))
    if time.monotonic() - began_s < SHORT_S:
        began_s = time.monotonic()
        first = Trace(batch.run(()))
    return first, time.monotonic() - began_s


def _forecast(order: Order, bounds: Bounds, first: Trace, run_s: float, jobs: int) -> Forecast:
    found = places(first, bounds) + (len(interrupts(first)) if order.interrupts else 0)
    bounded = range(order.preemptions + 1) if order.search == "exhaustive" else ()
    counts = tuple(forecast(found, bounds._replace(preemptions=k)) for k in bounded)
    return Forecast(len(first.accesses), found, counts, run_s, jobs)


def _failure(plan: Plan, tally: Tally, watcher: Watcher) -> Failure:
    """Shrinks the schedule of the violation that was found."""
    watcher.begins("shortens the schedule that was found")
    judged = tally.violation
    assert judged is not None and judged.violation is not None
    wanted = judged.violation.key
    settled = plan._replace(expand=False)
    with Batch(plan.command, watcher.waits) as runs, Batch(plan.patient, watcher.waits) as patient:
        worker = Worker(settled, runs, patient)

        def fails(schedule: Schedule) -> bool:
            violation = first_violation(worker.trace(schedule), plan.setting)
            return violation is not None and violation.key == wanted

        shortest = shrink(judged.ran, fails)
        trace = worker.trace(shortest)
        violation = first_violation(trace, plan.setting)
    assert violation is not None
    return Failure(violation, shortest, trace, judged.ran, tally.schedules)
