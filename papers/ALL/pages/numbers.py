# SPDX-License-Identifier: MIT
"""Every number in the text of ALL beside the simulated one, and the ratio of the two."""

from symlab.results.markdown import table
from symlab_papers.documents.data import Data, significant
from symlab_papers.measures.fits import two_line_fit
from symlab_papers.measures.latency import PROCESSORS
from symlab_papers.measures.thread_rates import curves as rate_curves
from symlab_papers.model.threads import MODEL
from symlab_papers.names import FREELIST, IDLE, LOCAL, NULL, SINGLE, WORK
from symlab_papers.paper import find_paper

from ..figures.all_3_1 import DYNIX_US, PRESTO_US

CONTROL_BLOCK_BYTES = 96  # guest/threads/package.h
STACK_BYTES = 16 * 1024  # guest/include/threads.h


def tables(data: Data) -> dict[str, list[str]]:
    found = simulated(data)
    rows = []
    for number in find_paper("ALL").numbers:
        value = found[number.simulated]
        paper, here = f"{number.paper:,} {number.unit}", f"{_shown(value)} {number.unit}"
        ratio = f"{value / number.paper:.2f}"
        rows.append((number.where, number.what, paper.strip(), here.strip(), ratio))
    return {"numbers": table(("Where", "What", "Paper", "Simulated", "Ratio"), rows)}


def numbers(data: Data) -> dict[str, str]:
    return {"count": str(len(find_paper("ALL").numbers))}


def simulated(data: Data) -> dict[str, float]:
    """The simulated value of each number of the paper, by name and in the paper's unit."""
    return {
        **_single_operations(data),
        **_package(data),
        **_spinning(data),
        **_model(data),
        **_sizes(data),
    }


def _shown(value: float) -> str:
    whole = value == round(value) or value >= 1000
    return f"{value:,.0f}" if whole else significant(value)


def _single_operations(data: Data) -> dict[str, float]:
    run = data.csv("ALL/table-3.1").iloc[0]
    null = data.figure("figure-3.1", program=NULL).set_index("strategy")
    thread_us = null.loc[SINGLE, "latency_us"]
    return {
        "lock-pair": run["lock_pair_us"],
        "call": run["call_us"],
        "argument": run["call_argument_us"],
        "loop": run["null_loop_us"],
        "thread-calls": thread_us / run["call_us"],
        "process-threads": DYNIX_US / thread_us,
        "presto-threads": PRESTO_US / thread_us,
        "instructions": null.loc[SINGLE, "instructions"],
    }


def _package(data: Data) -> dict[str, float]:
    creates = data.figure("section-4.4-creates").set_index(["strategy", "processors"])
    lists = creates.loc[FREELIST]
    accesses = lists["list_accesses"] / lists["whole_lists"]
    runs = data.csv("ALL/figure-3.1-runs")
    idle = runs[(runs["strategy"] == IDLE) & (runs["program"] == NULL)].iloc[-1]
    unlocked = data.csv("ALL/section-3.5-unlocked").set_index(["processors", "strategy"])
    life_us = unlocked["elapsed_us"][18]
    searched = data.csv("ALL/figure-3.5").set_index("runnable")["counted"]
    backlog = data.figure("figure-3.4-null", processors=18, strategy=FREELIST).iloc[-1]
    operations = data.figure("section-4.5").set_index(["quantity", "processors"])["value"]
    return {
        "control-block": CONTROL_BLOCK_BYTES,
        "stack-blocks": STACK_BYTES / CONTROL_BLOCK_BYTES,
        "list-accesses": min(accesses / (accesses.index / 2)),
        "queue-operations": idle["lock_acquisitions"] / idle["threads"],
        "imbalance": life_us["unlocked-queues"] / life_us[FREELIST],
        "half-searched": searched[17],
        "backlog-alone": backlog["cost_us"] / backlog["null_us"],
        "create-disturbs": creates.loc[(IDLE, 20), "misses"],
        "enqueue": operations["enqueue_us", 1],
        "dequeue": operations["dequeue_us", 1],
        "counter-enqueue": operations["counter_us", 1] / operations["enqueue_us", 1],
        "section-share": operations["inferred_share", 20],
    }


def _spinning(data: Data) -> dict[str, float]:
    backoff = data.figure("figure-4.1", lock="backoff").set_index("processors")
    seconds = backoff["seconds"].sort_index()
    bend, _, _ = two_line_fit(seconds.index.to_numpy(dtype=float), seconds.to_numpy())
    released = data.curves(
        "section-4.4-quiescence", "lock", "spinners", "value",
        quantity="reads_per_spinner", protocol="write-through",
    )  # fmt: skip
    return {
        "slight-spinners": bend - 1,
        "relative-speed": data.figure("figure-4.2")["relative_speed"].max(),
        "misses-release": released("backoff", 15),
        "misses-section": backoff["misses"][16],
    }


def _model(data: Data) -> dict[str, float]:
    """Largest errors of the model against Figure 3.3, in per cent."""
    found = data.figure("figure-5.1", quantity="rate", source=MODEL)
    model = found.set_index(["strategy", "processors"])["value"]
    million = rate_curves(data.csv("ALL/figure-3.3"), "rate", WORK)

    def error(strategy: str, most: int) -> float:
        each = (model[strategy, p] / million[strategy, p] - 1 for p in range(1, most + 1))
        return 100 * max(map(abs, each))

    return {"model-local": error(LOCAL, 18), "model-freelist": error(FREELIST, 17)}


def _sizes(data: Data) -> dict[str, float]:
    """The sizes of experiments, as far as runs show them: the work of a thread is measured."""
    alone = {n: data.csv(f"ALL/figure-5.{n}") for n in range(1, 5)}
    null = data.csv("ALL/figure-3.2-runs")
    return {
        "threads": null["threads"].max(),
        "increments": data.csv("ALL/figure-4.1")["increments"].max(),
        "processors": null["processors"].max(),
        "processors-3.4": PROCESSORS,
        "processors-4.2": data.csv("ALL/figure-4.2")["processors"].max(),
        "processors-5.2": alone[2]["processors"].max(),
        "work-300": alone[1]["alone_us"].max(),
        "work-200": alone[3]["alone_us"].min(),
        "work-2000": alone[4]["alone_us"].min(),
        "bus-load": 100 * alone[2].loc[alone[2]["work_us"].idxmax(), "alone_bus_share"],
    }
