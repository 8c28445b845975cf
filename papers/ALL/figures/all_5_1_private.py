# SPDX-License-Identifier: MIT
"""ALL section 5.1: processors that share only the bus, and exact mean value analysis.

slowdown = (time of a thread with P processors / its time with one) - 1. The model uses the demands
measured on one processor: per thread, the bus time and the remaining time.
"""

from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from symlab.errors import NotRun
from symlab.plot.figure import Figure, Verdict, finished
from symlab.plot.ranged import Ranged
from symlab.plot.repeats import over_repeats
from symlab.plot.styles import style_of
from symlab.plot.ticks import from_zero
from symlab_papers.claims import Claim, judges
from symlab_papers.model.private_copies import modelled_slowdown

LABELS = {"null_threads-local-readyq": "null threads"}
LINES = {"simulated": "-", "model": "--"}
MODERATE = (0.3, 0.7)


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """Tidy data, sorted: image, processors, simulated, spread, model, bus_utilisation. simulated,
    model: the slowdown. bus_utilisation: simulated, during the timed part."""
    return over_repeats(_series, runs, ["image", "processors"], "simulated", "spread")


def _series(runs: pd.DataFrame) -> pd.DataFrame:
    columns = ["image", "processors", "elapsed_us", "threads", "warm"]
    done = finished(runs, [*columns, "bus_busy_us"]).copy()
    done["each_us"] = done["elapsed_us"] * done["processors"] / done["threads"]
    on_the_bus = done["threads"] + done["warm"] * done["processors"]
    done["bus_us"] = done["bus_busy_us"] / on_the_bus
    done["bus_utilisation"] = done["bus_us"] * done["processors"] / done["each_us"]
    rows = []
    for image, group in done.groupby("image", sort=True):
        alone = group[group["processors"] == 1]
        if alone.empty:
            continue
        one_us, bus_us = float(alone["each_us"].iloc[0]), float(alone["bus_us"].iloc[0])
        for run in group.sort_values("processors").to_dict("records"):
            processors = int(run["processors"])
            model = modelled_slowdown(processors, one_us, bus_us)
            simulated = run["each_us"] / one_us - 1
            rows.append((image, processors, simulated, model, run["bus_utilisation"]))
    names = ["image", "processors", *LINES, "bus_utilisation"]
    return pd.DataFrame(rows, columns=names).round(6)


def draw(ax: Axes, data: pd.DataFrame) -> None:
    for image, label in LABELS.items():
        rows = data[data["image"] == image]
        for source, line in LINES.items():
            style: dict[str, Any] = {"color": style_of(image).colour, "label": f"{label}, {source}"}
            ax.plot(rows["processors"], rows[source], line, **style)
    ax.set_xlabel("Processors, each with a ready queue of its own")
    ax.set_ylabel("Slowdown")
    from_zero(ax)
    ax.legend(frameon=False)


# The paper's reason: the regular gaps between a processor's requests avoid repeated collisions.
@judges("ALL-71")
def all_71(claim: Claim, data: pd.DataFrame) -> Verdict:
    within = data[data["bus_utilisation"].between(*MODERATE)]
    if missing := [label for image, label in LABELS.items() if image not in set(within["image"])]:
        raise NotRun(", ".join(missing))
    excess = {
        f"{LABELS[row['image']]} at P={row['processors']}": (
            Ranged(row["model"] - row["simulated"], row["spread"])
        )
        for row in within.to_dict("records")
    }
    return claim.positive(excess, "model less simulated: {}")


FIGURE = Figure(series, draw, (all_71,), tidy=True)
