# SPDX-License-Identifier: MIT
"""WKS Table 1: where the time goes with TTAS-no-preempt, by work per section and level.

On 20 processors of a Sequent Symmetry for the KSR1's 31. Rows have the paper's names: 16.7, 66.7
and 120 times as much work outside a section as inside. papers/WKS/figures/table-1.toml derives
the work with which 20 processors serialise as 31 did. The claims are judged on Model B, whose
caches own lines as those of the KSR1 do.
"""

from functools import partial

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from symlab.plot.curves import Curves, Plot, chosen
from symlab.plot.figure import Figure
from symlab.plot.repeats import averaged_quantities
from symlab_papers.expressions import claims
from symlab_papers.measures.processes import (
    STATES,
    THOUSANDTHS,
    keys_of,
    measure,
    named,
    of_variant,
)

ROWS = {40: "16.7", 165: "66.7", 295: "120"}  # outside_us -> the paper's work / section
LEVELS = (1000, 1400, 2000)  # m in thousandths


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """Tidy data, sorted: VARIANTS, row, multiprogramming (m in thousandths), quantity, value,
    spread. Quantities: seconds elapsed; <state>_share of the workers' time, where preempted
    includes ready; work_s and section_s, the time that a worker is in that state."""
    times = {state: f"workers_{state}_us" for state in STATES}
    done = named(runs, ["outside_us", "multiprogramming", *times.values()])
    done["row"] = done["outside_us"].map(ROWS)
    all_us = done[list(times.values())].sum(axis=1)
    done[times["preempted"]] += done[times["ready"]]
    states = [state for state in STATES if state != "ready"]
    for state in states:
        done[f"{state}_share"] = done[times[state]] / all_us
    # Releases take time, but only a lock that passes the probe lock_released shows it.
    done["release_share"] = done["release_share"].replace(0.0, np.nan)
    for state in ("work", "section"):
        done[f"{state}_s"] = done[times[state]] / done["workers"] / 1e6
    done["seconds"] = done["elapsed_us"] / 1e6
    keys = keys_of(runs, "row", "multiprogramming")
    shares = [f"{state}_share" for state in states]
    return averaged_quantities(done, keys, ["seconds", *shares, "work_s", "section_s"])


def draw(ax: Axes, data: pd.DataFrame) -> None:
    shown = of_variant(data)
    PLOT(ax, shown.assign(m=shown["multiprogramming"] / THOUSANDTHS))


PLOT = Plot("value", "Time (s)", "row", "m", "Processes a processor", where={"quantity": "seconds"})


def _of(data: pd.DataFrame, quantity: str) -> Curves:
    rows = chosen(of_variant(data), quantity=quantity)
    return Curves.of(rows, "value", "multiprogramming", "row", "1000 m")


QUANTITIES = {
    "S": "seconds", "A": "acquire_share", "C": "section_share", "P": "preempted_share",
    "R": "release_share", "W": "work_s", "L": "section_s",
}  # fmt: skip
CURVES = {name: partial(_of, quantity=of) for name, of in QUANTITIES.items()}
CLAIMS = claims("wks-table-1", ROWS=tuple(ROWS.values()), M=LEVELS, **CURVES)
FIGURE = Figure(series, draw, CLAIMS, measure=measure, tidy=True)
