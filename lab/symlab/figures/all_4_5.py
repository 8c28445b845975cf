# SPDX-License-Identifier: MIT
"""ALL section 4.5: what of thread management's bus use lies in the section of its ready queue.

The sweep runs null threads with local free lists and one ready queue, the two operations of that
queue on their own, and the counter of Figure 4.1, with which the paper compares the operations.

Claims ALL-61, ALL-62, ALL-72.
"""

import pandas as pd
from matplotlib.axes import Axes

from symlab.by_activity import measure
from symlab.claims import Claim
from symlab.curves import Curves, averaged, plot_curves
from symlab.figure import Figure, Verdict, finished

THREADS, OPERATIONS, COUNTER = "null_threads-local-freelist", "queue_operations", "counter-backoff"
PROCESSORS = (1, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20)
SHARES = {
    "share": "from acquisition to release",
    "share_with_acquisition": "with the acquiring exchange",
}
MOST_US = 10  # ALL section 4.5


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """Tidy data, sorted: quantity, processors, value, spread.

    Quantities: share is the part of thread management's bus use in critical sections, from the
    acquisition of a lock until the releasing exchange is complete. share_with_acquisition counts
    the first exchange of an acquisition with the section too. misses is the number of reads on the
    bus by thread management, including sections, per thread. enqueue_us, dequeue_us and counter_us
    are the times of one locked operation.
    """
    needed = ["image", "processors", "elapsed_us", "threads", "increments", "enqueue_us"]
    measured = ["threads_bus_us", "critical_bus_us", "threads_exchanges_bus_us", "threads_reads"]
    done = finished(runs, [*needed, *measured, "dequeue_us", "critical_reads"]).copy()
    threads, counter = (done["image"] == name for name in (THREADS, COUNTER))
    management_us = done["threads_bus_us"] + done["critical_bus_us"]
    section_us = done["critical_bus_us"] + done["threads_exchanges_bus_us"]
    misses = done["threads_reads"] + done["critical_reads"]
    done["share"] = (done["critical_bus_us"] / management_us).where(threads)
    done["share_with_acquisition"] = (section_us / management_us).where(threads)
    done["misses"] = (misses / done["threads"]).where(threads)
    done["counter_us"] = (done["elapsed_us"] / done["increments"]).where(counter)
    quantities = [*SHARES, "misses", "enqueue_us", "dequeue_us", "counter_us"]
    long = done.melt(id_vars=["processors"], value_vars=quantities, var_name="quantity")
    long["value"] = pd.to_numeric(long["value"])
    return averaged(long, ["quantity", "processors"], "value", "spread")


def draw(ax: Axes, data: pd.DataFrame) -> None:
    shown = data[data["quantity"].isin(SHARES)]
    plot_curves(ax, shown.replace({"quantity": SHARES}), "processors", "value", curve="quantity")
    ax.set_xlabel("Processors")
    ax.set_ylabel("Section's part of thread management's bus use")
    ax.set_ylim(0, 1)


def all_61(data: pd.DataFrame) -> Verdict:
    """Nearly half of thread management's bus demand is in the critical section."""
    statement = "part of thread management's bus use in its sections 0.35 to 0.5, for all P"
    claim = Claim("ALL-61", "ALL section 4.5", statement)
    values = _values(data)
    shares = {f"{p:g}": share for p, share in values.curve("share").items()}
    return claim.between(shares, 0.35, 0.5, values.missing(["share"], PROCESSORS), "at P={}")


def all_62(data: pd.DataFrame) -> Verdict:
    """The queue's operations are short and take about as long as the counter's section."""
    statement = "enqueue and dequeue each < 10 us on one processor, C(1) within a factor 2 of each"
    claim = Claim("ALL-62", "ALL section 4.5", statement)
    values, operations = _values(data), ("enqueue_us", "dequeue_us")
    if missing := values.missing([*operations, "counter_us"], [1]):
        return claim.not_run(missing)
    counter_us = values["counter_us", 1]
    times = {name: (values[name, 1], MOST_US, 0.0) for name in operations}
    ratios = {name: counter_us / values[name, 1] for name in operations}
    return claim.all_of(
        claim.ordered(times, note=f"{{}} over {MOST_US} us"),
        claim.between(ratios, 0.5, 2, note="C(1) over {}"),
    )


def all_72(data: pd.DataFrame) -> Verdict:
    """Structures shared by several processors have a lower hit ratio in the caches.

    The code path makes equally many references with any number of processors. So the number of
    misses is a measure of the hit ratio.
    """
    statement = "read misses of thread management per thread at P=1 fewer than at P=8"
    claim = Claim("ALL-72", "ALL section 5.1", statement)
    values = _values(data)
    if missing := values.missing(["misses"], (1, 8)):
        return claim.not_run(missing)
    note = f"{values['misses', 1]:.3g} over {values['misses', 8]:.3g}"
    return claim.ordered({"": values.pair(less=("misses", 1), more=("misses", 8))}, note=note)


def _values(data: pd.DataFrame) -> Curves:
    return Curves.of(data, "value", curve="quantity", spread="spread")


FIGURE = Figure(
    id="all-4.5",
    config="configs/figures/ALL/section-4.5.toml",
    claims=(all_61, all_62, all_72),
    series=series,
    draw=draw,
    measure=measure,
    tidy=True,
    quick={
        "guest.args.threads": 200,
        "guest.args.rounds": 2,
        "guest.args.increments": 200,
        "machine.processors": [1, 4],
    },
    reduced={
        "guest.args.threads": 2000,
        "guest.args.rounds": 20,
        "guest.args.increments": 2000,
        "machine.processors": [1, 8],
    },
)
