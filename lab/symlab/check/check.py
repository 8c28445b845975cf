# SPDX-License-Identifier: MIT
"""`symlab check` from Python."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from symlab.check import checking
from symlab.check.answer import replay, summary, write_tables
from symlab.check.prepare import Order, prepare_check
from symlab.runs.scheduler_address import check_address
from symlab.runs.settings import Scalar


@dataclass(frozen=True)
class Checked:
    """The answer of a search.

    Attributes:
        folder: folder of its files.
        summary: content of check.json.
    """

    folder: Path
    summary: Mapping[str, Any]

    @property
    def violation(self) -> Mapping[str, Any] | None:
        """The rule that the shortest schedule breaks, its `story` and more; None if none does."""
        return self.summary["violation"]

    @property
    def complete(self) -> bool:
        """Whether no schedule within the bounds is left."""
        return bool(self.summary["complete"])


def check(
    what: str | Path,
    *,
    lock: str = "",
    barrier: str = "",
    strategy: str = "",
    processors: int | None = None,
    machine: str | Path = "symmetry-a",
    settings: Mapping[str, Scalar] | None = None,
    options: Sequence[str] = (),
    preemptions: int = 2,
    search: str = "exhaustive",
    depth: int = 3,
    schedules: int | None = None,
    minutes: float | None = None,
    seed: int = 1,
    stores: bool = True,
    interrupts: bool = False,
    handoffs: int | None = None,
    ignore: Iterable[str] = (),
    out: str | Path | None = None,
    jobs: int | None = None,
    simulator: str | Path | None = None,
    scheduler: str | None = None,
    strict: bool = True,
) -> Checked:
    """Searches the schedules of a program for one that breaks a rule.

    Args:
        what: a header of a lock, barrier or strategy, a program, or a config.
        lock: name or header with which a program is built; `barrier` and `strategy` too.
        processors: number of processors, default 2.
        machine: a name of `symlab list machines`, or a config.
        settings: config key -> value.
        options: for gcc, such as `["-DSIZE=8"]`.
        preemptions: most preemptions of an exhaustive search.
        search: "exhaustive", "random" (PCT) or "stress".
        depth: depth of the bugs that PCT finds.
        schedules: most schedules of a random search, default without end.
        minutes: most host time, default without end.
        seed: seed of a random search.
        stores: whether stores are held in the write buffer, too.
        interrupts: whether the timer interrupts anywhere, too.
        handoffs: most handoffs past a waiter, default without bound.
        ignore: rules to leave out.
        out: folder of the results, default results/check-NAME. An earlier search there continues.
        jobs: runs at a time, default all host cores.
        simulator: path of the binary.
        scheduler: address of a dask.distributed cluster whose workers make the runs.
        strict: whether an argument for which the program does not ask is an error.

    Raises:
        UserError: an argument is wrong, or a program cannot be compiled.
        OutputError: a file cannot be written.
        ClusterError: the cluster is lost.
    """
    if scheduler is not None:
        check_address(scheduler)
    order = Order(
        str(what),
        {"lock": lock, "barrier": barrier, "strategy": strategy},
        processors,
        str(machine),
        settings or {},
        tuple(options),
        preemptions,
        search,
        depth,
        schedules,
        seed,
        stores,
        interrupts,
        handoffs,
        frozenset(ignore),
        minutes,
        jobs,
        Path(out) if out is not None else None,
        Path(simulator) if simulator is not None else None,
        strict,
    )
    answer = checking.check(order, prepare_check(order), scheduler=scheduler)
    if answer.failure:
        replay(answer, answer.failure)
    write_tables(answer)
    return Checked(answer.prepared.folder, summary(answer))
