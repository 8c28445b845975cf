# SPDX-License-Identifier: MIT
"""One check from its arguments to its result, without a terminal."""

import hashlib
import time
from collections.abc import Callable
from dataclasses import dataclass

from symlab.check import random
from symlab.check.batch import Batch
from symlab.check.driver import LocalPool, Pool, search
from symlab.check.frontier import Draws, Frontier, Source
from symlab.check.journal import Journal
from symlab.check.prepare import Order, Prepared
from symlab.check.rules import Violation, first_violation
from symlab.check.schedule import Schedule
from symlab.check.search import QUIET, Bounds, interrupts, starts
from symlab.check.shrink import shrink
from symlab.check.tally import Tally
from symlab.check.trace import Trace
from symlab.check.worker import Plan, Worker
from symlab.places import PACKAGE
from symlab.runs.sweeping import jobs_at_a_time

JOURNAL = "journal.jsonl"
DECIDING = ("random", "rules", "search", "trace", "worst")  # modules: a change begins a new journal
FIRST_LIMIT_MS = 1000.0  # simulated time of the run without holds; run.limit_ms changes it
SHORTEST_PS = 10_000_000  # of a checked part, for programs that share nothing: a guess
ROOM = 2  # the limit of a run, in times of all its holds: they may be lengthened to twice
PATIENCE = 4  # times the limit, before a processor that waits is said to wait for ever


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
    """`complete`: no schedules were left within the bounds. `pct`: of a random search. `seconds`:
    host time of this call. `made`: runs of this call, the others are of the journal. `first`: the
    run without holds."""

    order: Order
    prepared: Prepared
    tally: Tally
    complete: bool
    failure: Failure | None
    pct: random.Pct | None
    bounds: Bounds
    seconds: float
    made: int
    first: Trace
    limit_ms: float


def check(
    order: Order,
    prepared: Prepared,
    progress: Callable[[Tally, Source], None] = lambda *_: None,
    scheduler: str | None = None,
) -> Answer:
    """Searches, on this host or on the cluster of `scheduler`.

    Raises UserError, RunFailed, LabError; KeyboardInterrupt, after which the same call goes on
    where it stopped.
    """
    began_s = time.monotonic()
    limit_ms = float(order.settings.get("run.limit_ms", FIRST_LIMIT_MS) or FIRST_LIMIT_MS)
    with Batch(prepared.command({"run.limit_ms": limit_ms})) as batch:
        first = Trace(batch.run(()))
    bounds, limit_ms = _bounds(order, prepared.processors, first)
    plan = Plan(
        prepared.command({"run.limit_ms": limit_ms}),
        prepared.command({"run.limit_ms": PATIENCE * limit_ms}),
        prepared.setting,
        bounds,
        order.search == "exhaustive",
    )
    pct = None
    source: Source
    if order.search == "exhaustive":
        more = interrupts(first) if order.interrupts and order.preemptions else []
        source = Frontier([*starts(bounds), *more], order.preemptions)
    elif order.search == "stress":
        stress = random.Stress(prepared.processors, bounds.quiet_ns)
        source = Draws(stress, order.seed, order.most)
    else:
        pct = random.Pct(prepared.processors, order.depth, bounds.quiet_ns, random.places_of(first))
        source = Draws(pct, order.seed, order.most)
    modules = b"".join((PACKAGE / "check" / f"{name}.py").read_bytes() for name in DECIDING)
    identity = prepared.identity() | {
        "lab": hashlib.sha256(modules).hexdigest(),
        "plan": [prepared.setting._replace(ignored=sorted(order.ignored)), bounds],
        "search": [order.search, order.depth, order.seed, order.preemptions, order.interrupts],
    }
    journal = Journal(prepared.folder / JOURNAL, identity)
    earlier = len(journal.earlier)
    until_s = None if order.minutes is None else began_s + 60 * order.minutes
    pool = _pool(order, prepared, plan, (limit_ms, PATIENCE * limit_ms), scheduler)
    try:
        tally, complete = search(source, pool, journal, until_s, progress)
    finally:
        journal.close()
        pool.close()
    seconds = time.monotonic() - began_s
    failure = _failure(plan, tally) if tally.violation else None
    made = tally.schedules - earlier
    return Answer(
        order,
        prepared,
        tally,
        complete,
        failure,
        pct,
        bounds,
        seconds,
        made,
        first,
        limit_ms * PATIENCE,
    )


def _pool(
    order: Order,
    prepared: Prepared,
    plan: Plan,
    limits_ms: tuple[float, float],
    scheduler: str | None,
) -> Pool:
    if scheduler is None:
        return LocalPool(plan, jobs_at_a_time(order.jobs))
    from symlab.check.cluster import ClusterPool  # dask takes a while to import

    return ClusterPool(scheduler, prepared, plan, limits_ms)


def _bounds(order: Order, n: int, first: Trace) -> tuple[Bounds, float]:
    """What the run without holds says: how long others need, and the limit of a run in ms."""
    # What processors do after the region does not matter, nor a wait that does not end.
    last_ps = max((event.t_ps for event in (*first.accesses, *first.probes)), default=0)
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


def _failure(plan: Plan, tally: Tally) -> Failure:
    """Shrinks the schedule of the violation that was found."""
    judged = tally.violation
    assert judged is not None and judged.violation is not None
    wanted = judged.violation.key
    settled = plan._replace(expand=False)
    with Batch(plan.command) as runs, Batch(plan.patient) as patient:
        worker = Worker(settled, runs, patient)

        def fails(schedule: Schedule) -> bool:
            violation = first_violation(worker.trace(schedule), plan.setting)
            return violation is not None and violation.key == wanted

        shortest = shrink(judged.ran, fails)
        trace = worker.trace(shortest)
        violation = first_violation(trace, plan.setting)
    assert violation is not None
    return Failure(violation, shortest, trace, judged.ran, tally.schedules)
