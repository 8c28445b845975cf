# SPDX-License-Identifier: MIT
"""ALL Table 3.1: the times of four operations on one processor, and the paper's.

T. E. Anderson, E. D. Lazowska, H. M. Levy, "The Performance Implications of Thread Management
Alternatives for Shared-Memory Multiprocessors", 1989. The machine is calibrated on these four
values (docs/how-it-works/calibration.md).
"""

from dataclasses import dataclass
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from symlab.plot.curves import Curves
from symlab.plot.figure import Figure, finished
from symlab_papers.expressions import claims


@dataclass(frozen=True)
class Operation:
    """A row of the table. `column`: the column of the runs with the measured time, in us."""

    column: str
    label: str
    paper_us: float


OPERATIONS = (
    Operation("lock_pair_us", "lock acquire\nand release", 5.6),
    Operation("call_us", "procedure\ncall", 3.6),
    Operation("call_argument_us", "each\nargument", 1.0),
    Operation("null_loop_us", "turn of an\nempty loop", 2.5),
)


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """One row per operation: operation (its column in the runs), paper_us, measured_us."""
    done = finished(runs, [operation.column for operation in OPERATIONS])
    rows = [
        {"operation": o.column, "paper_us": o.paper_us, "measured_us": float(done[o.column].mean())}
        for o in OPERATIONS
    ]
    return pd.DataFrame(rows).dropna()


def draw(ax: Axes, data: pd.DataFrame) -> None:
    labels = {operation.column: operation.label for operation in OPERATIONS}
    places = range(len(data))
    paper: dict[str, Any] = {"label": "paper (Tab 3.1)", "color": "#999999"}
    printed = ax.bar([p - 0.2 for p in places], data["paper_us"], 0.4, **paper)
    ax.bar_label(printed, fmt="%g")
    bars = ax.bar([p + 0.2 for p in places], data["measured_us"], 0.4, label="simulated")
    ax.bar_label(bars, fmt="%.2f")
    ax.set_xticks(places, [labels[name] for name in data["operation"]])
    ax.margins(y=0.1)  # room for the numbers on the bars
    ax.set_ylabel("Time (us)")
    ax.legend(frameon=False)


def _times(data: pd.DataFrame) -> Curves:
    return Curves.of(data.assign(processors=1), "measured_us", curve="operation")


FIGURE = Figure(series, draw, claims("all-table-3.1", V=_times))
