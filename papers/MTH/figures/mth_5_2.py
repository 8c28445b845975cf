# SPDX-License-Identifier: MIT
"""MTH section 5.2: how well affinity models know which thread has the most lines in the cache.

Kendall's rank correlation of a model's order with the lines that threads really have, over the
threads between which a processor chooses. The paper could not see these lines.
"""

from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from symlab.plot.figure import Figure, finished
from symlab.runs.one_run import Run
from symlab_papers.affinity.log import read_log
from symlab_papers.affinity.replay import MODELS
from symlab_papers.affinity.scores import scores

FIRST_COME = "none"  # the schedule under which the figure compares the models
PATTERNS = {  # of guest/workloads/residency.c -> how threads use their data, and how it is drawn
    "equal": ("equal data", "#0072B2", "o"),
    "unequal": ("unequal data", "#E69F00", "s"),
    "random": ("unequal data, at random", "#009E73", "^"),
    "scattered": ("unequal data, scattered", "#CC79A7", "D"),
}
OF_MODELS = ("tau", "missing", "error")  # columns of `scores` for each model
OF_RUNS = ("mean_lines", "chosen_lines", "most_lines", "period_misses")


def measure(run: Run) -> dict[str, float]:
    """`scores` of the run's log. Raises UserError if the guest printed none."""
    lines = int(run.config["cache.size_bytes"]) // int(run.config["cache.line_bytes"])
    return scores(read_log(run.console), lines)


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """Tidy data, sorted: affinity, pattern, model, OF_MODELS, OF_RUNS. affinity: the model that
    ordered the threads of the run. model: the one that is scored on them, in the order of MODELS.
    error: NaN of models that do not estimate lines."""
    done = finished(runs, ["affinity", "pattern", *OF_RUNS])
    keys = ["affinity", "pattern", "model", *OF_MODELS, *OF_RUNS]
    rows = [
        [run["affinity"], run["pattern"], model]
        + [float(run.get(f"{name}_{model}", float("nan"))) for name in OF_MODELS]
        + [float(run[name]) for name in OF_RUNS]
        for run in done.to_dict("records")
        for model in MODELS
    ]
    data = pd.DataFrame(rows, columns=keys)
    by = data.sort_values(["affinity", "pattern"], kind="stable", ignore_index=True)
    return by.astype(dict.fromkeys([*OF_MODELS, *OF_RUNS], float))


def draw(ax: Axes, data: pd.DataFrame) -> None:
    shown = data[data["affinity"] == FIRST_COME]
    for at, (pattern, (label, colour, marker)) in enumerate(PATTERNS.items()):
        rows = shown[shown["pattern"] == pattern]
        if rows.empty:
            continue
        x = rows["model"].map(MODELS.index) + (at - 1.5) / 5
        look: dict[str, Any] = {"color": colour, "marker": marker, "linestyle": ""}
        ax.plot(x, rows["tau"], label=label, **look)
        ax.plot(x, rows["missing"], fillstyle="none", **look)
    ax.axhline(0, color="0.6", linewidth=0.8)
    ax.set_xticks(range(len(MODELS)), MODELS, rotation=20)
    ax.set_xlabel("Model; hollow: with the lines that threads lack")
    ax.set_ylabel("Rank correlation with lines in the cache")
    ax.set_ylim(-1.05, 1.45)  # the legend is above the points
    ax.set_yticks((-1, -0.5, 0, 0.5, 1))
    ax.legend(frameon=False, fontsize="small", loc="upper center", ncols=2)


FIGURE = Figure(series, draw, measure=measure, tidy=True)
