# SPDX-License-Identifier: MIT
"""WKS Fig. 8: completion times of Cholesky and Quicksort, at two processes a processor.

On 7 processors of the SGI Iris (guest/workloads/process_cholesky.c, process_quicksort.c), and on
31 of the KSR1. The claim is about both.
"""

from dataclasses import replace

import pandas as pd
from matplotlib.axes import Axes
from symlab.plot.curves import Curves, chosen
from symlab.plot.figure import Figure, Verdict
from symlab.plot.repeats import averaged
from symlab_papers.claims import Claim, judges
from symlab_papers.measures.processes import (
    NAMES,
    NATN,
    SQ,
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


CHECK = "D_SQ < D of all others but NATn, with Cholesky and with Quicksort"


@judges("WKS-29", CHECK)
def wks_29(claim: Claim, data: pd.DataFrame) -> Verdict:
    return _least(claim, data, "")


@judges("WKS-29", f"{CHECK}, on the KSR1")
def wks_29_ksr(claim: Claim, data: pd.DataFrame) -> Verdict:
    return _least(claim, data, ", KSR1")


def _least(claim: Claim, data: pd.DataFrame, machine: str) -> Verdict:
    others = [name for name in NAMES if name not in (SQ, NATN)]
    pairs = {}
    for program in MARKERS:
        rows = chosen(of_variant(data), program=program).assign(all=0)
        time = Curves.of(rows, "seconds", "all", symbol=program)
        for other in others:
            pairs[f"D_SQ over D_{other} with {program}"] = time.pair((SQ, 0), (other, 0))
    return claim.ordered(pairs, f"{{}}{machine}")


FIGURE = Figure(series, draw, (wks_29,), tidy=True)
OF_THE_KSR = "Completion times of Cholesky and Quicksort on a KSR1, two processes a processor."
FIGURES = {"ksr": replace(FIGURE, claims=(wks_29_ksr,), caption=OF_THE_KSR)}
