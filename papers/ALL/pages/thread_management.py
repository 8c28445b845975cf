# SPDX-License-Identifier: MIT
"""What the page on thread management quotes: ALL sections 3.1 to 3.6, and parts of 4 and 5."""

from collections.abc import Iterable

from symlab.results.markdown import table
from symlab.results.table import transactions_of
from symlab_papers.documents.data import Data, grid, named, percent, significant, text
from symlab_papers.documents.sweeps import sweeps
from symlab_papers.measures.thread_rates import curves as rate_curves
from symlab_papers.names import (
    CENTRAL,
    FREELIST,
    IDLE,
    LOCAL,
    MULTIPLE,
    NULL,
    SINGLE,
    STRATEGIES,
    WORK,
)

from . import package_locks

SECTIONS = "3.1 to 3.6, 4.4, 4.5"
SWEEPS = (
    "figure-3.1", "figure-3.1-compiler", "figure-3.2", "figure-3.3", "section-4.4-creates",
    "section-4.5",
)  # fmt: skip
OWN, WHEN_BUSY, PROBE = "local-readyq", "local-when-busy", "random-probe"
TITLES = {
    SINGLE: "single lock",
    FREELIST: "local free lists",
    IDLE: "idle queue",
    MULTIPLE: "multiple locks",
    PROBE: "random probe",
    LOCAL: "local ready queues",
    WHEN_BUSY: "local when busy",
    OWN: "own ready queue",
}
CREATING = (IDLE, MULTIPLE, FREELIST, PROBE, LOCAL, WHEN_BUSY, SINGLE)  # order in that table
MANY, MOST = 18, 20  # processors
SHOWN = (1, 2, 4, 8, 14, MANY, MOST)

# Quantity -> its title.
SECTION_PARTS = {
    "share": "bus demand within sections",
    "share_with_acquisition": "the same, if acquiring exchanges count as section",
    "misses": "read misses of thread management, per thread",
}
SLOWDOWNS = {
    "threads_slowdown": "thread management, simulated",
    "threads_model": "the same, exact MVA",
    "sections_slowdown": "its sections alone, simulated",
    "sections_model": "the same, exact MVA",
}
COMPILED = {"": "-O1", "_O0": "-O0"}  # ending of a quantity -> option
OPERATIONS = {
    "enqueue_us": "enqueue",
    "dequeue_us": "dequeue",
    "counter_us": "increment of the counter, with its loop",
}


def tables(data: Data) -> dict[str, list[str]]:
    of_sections = ("section-4.5", "quantity", "processors", "value")
    forms = {"share": ".1%", "share_with_acquisition": ".1%", "misses": ".3f"}
    return {
        "sweeps": sweeps(data, "ALL", SWEEPS),
        "null-thread": _null_thread(data),
        "compiler": _compiler(data),
        "null-rates": _rates(data, "figure-3.2", NULL, TITLES),
        "free-list-locks": package_locks.free_list_locks(data),
        "local-queues": _local_queues(data),
        "work-rates": _rates(data, "figure-3.3", WORK, [s for s in TITLES if s != OWN]),
        "creates": data.grid(
            "Processors", {strategy: TITLES[strategy] for strategy in CREATING},
            (4, 8, 12, 16, MOST), ".1f", "section-4.4-creates", "strategy", "processors", "misses",
        ),
        "sections": data.grid(
            "Processors", SECTION_PARTS, (1, 2, 4, 8, 14, MOST), forms, *of_sections
        ),
        "private-slowdowns": data.grid(
            "Processors", SLOWDOWNS, (2, 4, 6, 8, 10, 14, MOST), ".1%", *of_sections
        ),
        "private-demands": _private_demands(data),
        "operations": data.grid(
            "Operation, on one processor", OPERATIONS, {1: "us"}, ".1f", *of_sections
        ),
    }  # fmt: skip


def numbers(data: Data) -> dict[str, str]:
    return {
        **_one_processor(data),
        **_null_numbers(data),
        **_freelist_numbers(data),
        **_work_numbers(data),
        **_section_numbers(data),
    }


def _null_thread(data: Data) -> list[str]:
    us, instructions = (
        data.curves("figure-3.1", "program", "strategy", name)
        for name in ("latency_us", "instructions")
    )
    rows = (
        (
            TITLES[strategy],
            f"{us(NULL, strategy):.2f}",
            f"{instructions(NULL, strategy):.0f}",
            f"+{us('locking_threads', strategy) - us(NULL, strategy):.2f}",
        )
        for strategy in sorted(TITLES, key=lambda name: us(NULL, name))
    )
    return table(("Strategy", "Time, us", "Instructions", "With one more lock, us"), rows)


def _compiler(data: Data) -> list[str]:
    us, instructions = (
        data.curves("figure-3.1-compiler", "strategy", "option", name, processors=1)
        for name in ("us_per_thread", "instructions")
    )
    strategies = {strategy: TITLES[strategy] for strategy in TITLES if strategy in STRATEGIES}
    options = {option: f"-{option}" for option in ("O0", "O1", "O2")}
    return grid(
        "Strategy",
        strategies,
        options,
        lambda s, o: f"{significant(us(s, o))} ({instructions(s, o):.0f})",
    )


def _one_processor(data: Data) -> dict[str, str]:
    us = data.curves("figure-3.1", "program", "strategy", "latency_us")
    more = {s: us("locking_threads", s) - us(NULL, s) for s in TITLES}
    compiled = data.csv("ALL/figure-3.1-compiler").set_index(["processors", "option", "strategy"])
    compiled_us, instructions = compiled["us_per_thread"], compiled["instructions"]
    many = [abs(compiled_us[MANY, "O1", s] / compiled_us[MANY, "O2", s] - 1) for s in STRATEGIES]
    unoptimised = [instructions[1, "O0", s] for s in STRATEGIES]
    return {
        "lock-least": f"{min(more.values()):.2f}",
        "lock-most": f"{max(more.values()):.2f}",
        "lock-part": percent(more[MULTIPLE] / us(NULL, MULTIPLE)),
        "o0-least": f"{min(unoptimised):.0f}",
        "o0-most": f"{max(unoptimised):.0f}",
        "o2-less": f"{compiled_us[1, 'O2', SINGLE] - compiled_us[1, 'O2', FREELIST]:.2f}",
        "o2-many": percent(max(many), 1),
    }


def _rates(data: Data, part: str, program: str, strategies: Iterable[str]) -> list[str]:
    """Thousands of threads per second."""
    rate = rate_curves(data.csv(f"ALL/{part}"), "rate", program)
    rows = {s: TITLES[s] for s in sorted(strategies, key=lambda s: rate[s, MOST])}
    return grid("Processors", rows, SHOWN, lambda s, p: significant(rate[s, p]))


def _null_numbers(data: Data) -> dict[str, str]:
    found = data.csv("ALL/figure-3.2")
    rate, waits = (rate_curves(found, name) for name in ("rate", "spin_share"))
    finish, bus = (rate_curves(found, name) for name in ("finish_spread", "bus_utilisation"))
    last = max(
        (finish[s, p], s, p) for s in STRATEGIES for p in range(1, MOST + 1) if (s, p) in finish
    )
    others = max(rate[s, MANY] for s in CENTRAL)
    return {
        "local-times": f"{rate[LOCAL, MANY] / others:.1f}",
        "finish-spread": percent(last[0], 1),
        "finish-strategy": TITLES[last[1]],
        "finish-processors": f"{last[2]:g}",
        "local-bus": percent(bus[LOCAL, MANY]),
        "local-waits": percent(waits[LOCAL, MANY]),
    }


def _freelist_numbers(data: Data) -> dict[str, str]:
    """ALL-18 and ALL-22: the ceiling of local free lists."""
    rate = rate_curves(data.csv("ALL/figure-3.2"), "rate")
    curve = {int(p): value for p, value in rate.curve(FREELIST).items()}
    top = int(rate.peak(FREELIST))
    runs = data.csv("ALL/figure-3.2-runs")
    by_processors = runs[runs["strategy"] == FREELIST].set_index("processors")
    held_us = by_processors["lock_hold_us"] / by_processors["lock_acquisitions"]
    spinning = (transactions_of(by_processors, "spin") / by_processors["all_transactions"])[MOST]
    return {
        "freelist-speedup": f"{curve[top] / rate[SINGLE, 1]:.2f}",
        "freelist-top": str(top),
        "freelist-held-1": f"{held_us[1]:.1f}",
        "freelist-held-most": f"{held_us[MOST]:.1f}",
        "freelist-lost-12": percent(1 - curve[12] / curve[top]),
        "freelist-lost": percent(1 - curve[MOST] / curve[top]),
        "freelist-spinning": percent(spinning),
        "freelist-bus": percent(by_processors["bus_utilisation"][MOST]),
    }


def _local_queues(data: Data) -> list[str]:
    """ALL-21: locks of local ready queues, by where a thread goes."""
    runs = data.csv("ALL/figure-3.2-runs")
    found = runs[runs["processors"] == MANY].set_index("strategy")
    acquired = found["lock_acquisitions"]
    of_time = found[["spin_us", "idle_us"]].div(found["simulated_us"] * MANY, axis=0)
    cells = {
        "waits for locks, of all time": lambda s: _percent(of_time["spin_us"][s]),
        "idle, of all time": lambda s: _percent(of_time["idle_us"][s]),
        "lock acquisitions in a thread's life": lambda s: (
            f"{acquired[s] / found['threads'][s]:.2f}"
        ),
        "mean wait of an acquisition, us": lambda s: (
            f"{found['lock_wait_us'][s] / acquired[s]:.1f}"
        ),
        "lock held, us": lambda s: f"{found['lock_hold_us'][s] / acquired[s]:.1f}",
        "bus used": lambda s: _percent(found["bus_utilisation"][s]),
    }
    columns = {LOCAL: "at random", OWN: "own ready queue"}
    return grid("With 18 processors", named(cells), columns, lambda row, s: cells[row](s))


def _percent(part: float) -> str:
    return f"{100 * part:.2g} %" if part < 0.995 else f"{100 * part:.0f} %"


def _work_numbers(data: Data) -> dict[str, str]:
    found = data.csv("ALL/figure-3.3")
    null, work = (rate_curves(found, "rate", program) for program in (NULL, WORK))
    waits = rate_curves(found, "spin_share", WORK)
    bus = rate_curves(found, "bus_utilisation", WORK)

    def apart(p: int) -> float:
        rates = [work[s, p] for s in STRATEGIES]
        return 1 - min(rates) / max(rates)

    below: dict[str, list[float]] = {NULL: [], WORK: []}
    knees = []
    for strategy in CENTRAL:
        most = null.ceiling(strategy)
        for rate, program in ((null, NULL), (work, WORK)):
            at = round(rate.knee(strategy, most))
            below[program].append(rate.below_bound(strategy, most)[at])
            if program == WORK:
                knees.append(at)
    return {
        "apart-2": percent(apart(2)),
        "apart-18": percent(apart(MANY)),
        "knees": f"{min(knees)} to {max(knees)}",
        "below-work": f"{percent(min(below[WORK]))} to {percent(max(below[WORK]))}",
        "below-null": f"{percent(min(below[NULL]))} to {percent(max(below[NULL]))}",
        "work-local-waits": percent(waits[LOCAL, MOST], 1),
        "work-local-bus": percent(bus[LOCAL, MOST]),
    }


def _private_demands(data: Data) -> list[str]:
    """Bus demand of private copies, by compiler option and method."""
    value = data.curves("section-4.5", "quantity", "processors", "value")

    def cell(row: tuple[str, str], part: str) -> str:
        ending, method = row
        at = MOST if method == "inferred" else 1
        us = {p: value(f"{p}_{method}_us{ending}", at) for p in ("threads", "sections")}
        return f"{us[part]:.2f}" if part in us else text(us["sections"] / us["threads"], ".1%")

    rows = {
        (ending, method): f"{method}, {option}"
        for ending, option in COMPILED.items()
        for method in ("inferred", "counted")
    }
    columns = {"threads": "thread management, us", "sections": "its sections, us", "share": "part"}
    return grid("Bus demand of a thread", rows, columns, cell)


def _private_us(data: Data, option: str) -> float:
    """Time of a thread on one processor, of the private copies with this compiler option."""
    runs = data.csv("ALL/section-4.5-runs").set_index(["image", "processors"])
    run = runs.loc[f"private_threads{option}", 1]
    return float(run["elapsed_us"] / run["threads"])


def _section_numbers(data: Data) -> dict[str, str]:
    creates = data.figure("section-4.4-creates", strategy=FREELIST)
    accesses = creates["list_accesses"] / creates["whole_lists"]
    shares = data.figure("section-4.5", quantity="share").set_index("processors")["value"]
    others = shares.drop(1)
    value = data.curves("section-4.5", "quantity", "processors", "value")
    acquired = data.figure("section-4.5", quantity="share_with_acquisition")["value"]
    return {
        "share-inferred": percent(value("inferred_share", MOST), 1),
        "share-private": percent(
            value("sections_counted_us", 1) / value("threads_counted_us", 1), 1
        ),
        "share-inferred-O0": percent(value("inferred_share_O0", MOST), 1),
        "private-O0": f"{_private_us(data, '-O0'):.0f}",
        "share-acquired": f"{percent(acquired.min(), 1)} to {percent(acquired.max(), 1)}",
        "list-least": f"{min(accesses / (creates['processors'] / 2)):.4f}",
        "share-1": percent(shares[1], 1),
        "share-more": f"{percent(others.min(), 1)} to {percent(others.max(), 1)}",
    }
