# SPDX-License-Identifier: MIT
"""ALL section 4.5: the part of thread management's bus use in sections of its ready queue.

The paper infers this part from an experiment (its section 5.1), which the sweep repeats: it runs
thread management on private copies, and its sections alone. The sweep also counts bus use directly,
in null threads with local free lists and one ready queue. It further runs the two operations of
that queue on their own, and the counter of Figure 4.1, with which the paper compares them.
"""

from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from symlab.plot.curves import Curves, Plot
from symlab.plot.figure import Figure, Verdict, finished
from symlab.plot.repeats import SEED, averaged_quantities
from symlab_papers.claims import Claim, judges
from symlab_papers.expressions import claims
from symlab_papers.measures.by_activity import measure
from symlab_papers.model.private_copies import inferred_demand, modelled_slowdown

THREADS, COUNTER = "null_threads-local-freelist", "counter-backoff"
PROCESSORS = (1, *range(2, 21, 2))
SHARES = {
    "inferred_share": "inferred from private copies",
    "inferred_share_O0": "inferred, compiled with -O0",
    "share": "counted, from acquisition to release",
    "share_with_acquisition": "counted, with the acquiring exchange",
}
PRIVATE = {"threads": "private_threads", "sections": "private_sections"}  # part -> its image
COMPILED = ("", "-O0")  # endings of these images
OF_A_PART = ("slowdown", "model", "inferred_us", "counted_us")


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """Tidy data, sorted: quantity, processors, value, spread.

    Quantities: share is the part of thread management's bus use in critical sections, from the
    acquisition of a lock until the releasing exchange is complete. share_with_acquisition counts
    the first exchange of an acquisition with the section too. misses is the number of reads on the
    bus by thread management, including sections, per thread. enqueue_us, dequeue_us and counter_us
    are the times of one locked operation.

    Of private copies, where a part is threads, the whole, or sections: <part>_slowdown is measured;
    <part>_model is the model's with the inferred demand, <part>_inferred_us; <part>_counted_us is
    the bus time that the simulator counts. Demands are per thread. inferred_share is the sections'
    part of the inferred demand. What is inferred comes from the whole curve, and is in the row of
    the largest number of processors. Names that end with _O0 are of images compiled with -O0.
    """
    needed = ["image", "processors", "elapsed_us", "threads", "warm"]
    needed += ["increments", "enqueue_us"]
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
    quantities = ["share", "share_with_acquisition", "misses"]
    quantities += ["enqueue_us", "dequeue_us", "counter_us"]
    repeats = [part for _, part in done.groupby(SEED)] if SEED in done else [done]
    private = pd.concat([_of_private_copies(repeat) for repeat in repeats])
    quantities += [name for name in map(str, private) if name != "processors"]
    return averaged_quantities(pd.concat([done, private]), ["processors"], quantities)


def _of_private_copies(done: pd.DataFrame) -> pd.DataFrame:
    """From the runs of one repeat: processors and the quantities of private copies."""
    found = pd.DataFrame()
    for compiled in COMPILED:
        ending = compiled.replace("-", "_")
        for part, image in PRIVATE.items():
            own = _of_part(done[done["image"] == image + compiled])
            found = pd.concat([found, own.add_prefix(f"{part}_").add_suffix(ending)], axis=1)
        parts = (found[f"{part}_inferred_us{ending}"] for part in ("sections", "threads"))
        found[f"inferred_share{ending}"] = next(parts) / next(parts)
    return found.rename_axis("processors").reset_index()


def _of_part(runs: pd.DataFrame) -> pd.DataFrame:
    """The quantities of one part, per number of processors."""
    runs = runs.set_index("processors").sort_index()
    found = pd.DataFrame(index=runs.index, columns=OF_A_PART, dtype=float)
    on_the_bus = runs["threads"] + runs["warm"] * runs.index
    found["counted_us"] = (runs["threads_bus_us"] + runs["critical_bus_us"]) / on_the_bus
    each_us = runs["elapsed_us"] * runs.index / runs["threads"]
    if 1 not in found.index or len(found) == 1:
        return found
    found["slowdown"] = each_us / each_us[1] - 1
    by_processors: dict[Any, float] = each_us.to_dict()
    bus_us = inferred_demand(by_processors)
    found["model"] = [modelled_slowdown(p, each_us[1], bus_us) for p in found.index]
    found.loc[found.index[-1], "inferred_us"] = bus_us
    return found


PART = "Section's part of thread management's bus use"
PLOT = Plot("value", PART, "quantity", axes={"ylim": (0, 1)})


def draw(ax: Axes, data: pd.DataFrame) -> None:
    shown = data[data["quantity"].isin(SHARES)]
    inferred = shown[shown["quantity"].str.startswith("inferred")]
    shown = pd.concat([inferred.assign(processors=1), shown])  # level lines
    PLOT(ax, shown.replace({"quantity": SHARES}))


@judges("ALL-61")
def all_61(claim: Claim, data: pd.DataFrame) -> Verdict:
    values = _values(data).require([f"{part}_slowdown" for part in PRIVATE], PROCESSORS)
    share = values["inferred_share", PROCESSORS[-1]]
    return claim.between({"": share}, 0.35, 0.5)


def _values(data: pd.DataFrame) -> Curves:
    return Curves.of(data, "value", curve="quantity")


CLAIMS = claims("all-4.5", all_61, V=_values)
FIGURE = Figure(series, draw, CLAIMS, measure, tidy=True)
