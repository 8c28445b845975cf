# SPDX-License-Identifier: MIT
"""WKS Fig. 8: completion times of Cholesky and Quicksort, at two processes a processor.

On 7 processors of the SGI Iris (guest/workloads/process_cholesky.c, process_quicksort.c), and on
31 of the KSR1. The claim is about both.
"""

from dataclasses import replace
from functools import partial

import pandas as pd
from matplotlib.axes import Axes
from symlab.plot.curves import Curves, chosen
from symlab.plot.figure import Figure
from symlab.plot.repeats import averaged
from symlab_papers.expressions import claims
from symlab_papers.measures.processes import (
    NAMES,
    keys_of,
    named,
    of_variant,
)

MARKERS = {"cholesky": "o", "quicksort": "s"}
US = 1e-6  # seconds


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """Tidy data, sorted: VARIANTS, program, lock, seconds, spread_s."""
    done = named(runs, ["program"])
    done["seconds"] = done["elapsed_us"] * US
    return averaged(done, keys_of(runs, "program", "lock"), "seconds", "spread_s")


def draw(ax: Axes, data: pd.DataFrame) -> None:
    shown = of_variant(data)
    locks = [name for name in NAMES if name in set(shown["lock"])]
    for program, marker in MARKERS.items():
        seconds = chosen(shown, program=program).set_index("lock")["seconds"].reindex(locks)
        ax.plot(range(len(locks)), seconds, marker, label=program.capitalize())
    ax.set_xticks(range(len(locks)), locks)
    ax.set_xlabel("Lock")
    ax.set_ylabel("Completion time (s)")
    ax.set_yscale("log")


def times(data: pd.DataFrame, program: str) -> Curves:
    rows = chosen(of_variant(data), program=program).assign(all=0)
    return Curves.of(rows, "seconds", "all", symbol=program)


TIMES = {"C": partial(times, program="cholesky"), "Q": partial(times, program="quicksort")}
FIGURE = Figure(series, draw, claims("wks-8", NAMES=NAMES, **TIMES), tidy=True)
OF_THE_KSR = "Completion times of Cholesky and Quicksort on a KSR1, two processes a processor."
CLAIMS = claims("wks-8-ksr", NAMES=NAMES, **TIMES)
FIGURES = {"ksr": replace(FIGURE, claims=CLAIMS, caption=OF_THE_KSR)}
