# SPDX-License-Identifier: MIT
"""Draws WKS Fig. 8: a point for each lock and program."""

import pandas as pd
from matplotlib.axes import Axes
from symlab.plot.curves import chosen
from symlab_papers.measures.processes import NAMES, of_variant

MARKERS = {"cholesky": "o", "quicksort": "s"}


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
