# SPDX-License-Identifier: MIT
"""ALL section 4.5: the part of thread management's bus use in sections of its ready queue.

The sweep runs null threads with local free lists and one ready queue, the two operations of that
queue on their own, and the counter of Figure 4.1, with which the paper compares the operations.
"""

import pandas as pd
from matplotlib.axes import Axes

from symlab.paper.claims import Claim, judges
from symlab.paper.figure import Figure, Verdict, finished
from symlab.paper.measures.by_activity import measure
from symlab.plot.curves import Curves, Plot
from symlab.plot.repeats import averaged_quantities

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
    return averaged_quantities(done, ["processors"], quantities)


PLOT = Plot("value", "Section's part of thread management's bus use", "quantity")


def draw(ax: Axes, data: pd.DataFrame) -> None:
    shown = data[data["quantity"].isin(SHARES)]
    PLOT(ax, shown.replace({"quantity": SHARES}))
    ax.set_ylim(0, 1)


@judges("ALL-61", "part of thread management's bus use in its sections 0.35 to 0.5, for all P")
def all_61(claim: Claim, data: pd.DataFrame) -> Verdict:
    shares = _values(data).at("share", PROCESSORS)
    return claim.between(shares, 0.35, 0.5, "at P={}")


@judges(
    "ALL-62", "enqueue and dequeue each < 10 us on one processor, C(1) within a factor 2 of each"
)
def all_62(claim: Claim, data: pd.DataFrame) -> Verdict:
    operations = ("enqueue_us", "dequeue_us")
    values = _values(data).require([*operations, "counter_us"], [1])
    counter_us = values["counter_us", 1]
    times = {name: (values[name, 1], MOST_US, 0.0) for name in operations}
    ratios = {name: counter_us / values[name, 1] for name in operations}
    return claim.all_of(
        claim.ordered(times, note=f"{{}} over {MOST_US} us"),
        claim.between(ratios, 0.5, 2, note="C(1) over {}"),
    )


# The code path makes equally many references with any number of processors. So the number of
# misses is a measure of the hit ratio.
@judges("ALL-72", "read misses of thread management per thread at P=1 fewer than at P=8")
def all_72(claim: Claim, data: pd.DataFrame) -> Verdict:
    values = _values(data).require(["misses"], (1, 8))
    note = f"{values['misses', 1]:.3g} over {values['misses', 8]:.3g}"
    return claim.ordered({"": values.pair(less=("misses", 1), more=("misses", 8))}, note=note)


def _values(data: pd.DataFrame) -> Curves:
    return Curves.of(data, "value", curve="quantity", spread="spread")


FIGURE = Figure(series, draw, (all_61, all_62, all_72), measure, tidy=True)
