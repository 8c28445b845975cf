# SPDX-License-Identifier: MIT
"""ALL Fig. 3.1 with other compiler options: the effect of optimisation on a null thread.

All other results use -O1, with which all guests are compiled (guest/flags.txt), so no claim is
judged here.
"""

import pandas as pd
from matplotlib.axes import Axes

from symlab.paper.figure import Figure, finished
from symlab.paper.figures import all_3_1
from symlab.paper.measures.differences import per_additional
from symlab.paper.names import NULL
from symlab.plot.curves import chosen, in_order
from symlab.plot.styles import style_of

OPTIONS = ("O0", "O1", "O2")


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """Tidy data, sorted: processors, option, strategy, us_per_thread, instructions, claims_failing.

    us_per_thread: time from one thread to the next on a processor. instructions: per thread,
    including those of waiting. Both are differences between two runs with different numbers of
    threads. claims_failing: those of ALL-05 to ALL-12 that would fail on one processor with this
    compiler option.
    """
    keys, columns = ["processors", "option", "strategy"], ["simulated_us", "instructions"]
    done = finished(runs, [*keys, "threads", *columns])
    data = per_additional(done, keys, "threads", columns)
    data["us_per_thread"] = data.pop("simulated_us") * data["processors"]

    def failing(option: str) -> str:
        rows = chosen(data, processors=1, option=option)
        times = rows.assign(program=NULL, latency_us=rows["us_per_thread"], spread_us=0.0)
        judged = (claim(times) for claim in all_3_1.WITHOUT_MORE)
        return ", ".join(verdict.id for verdict in judged if verdict.state == "fails")

    data["claims_failing"] = data["option"].map(failing)
    return data[[*keys, "us_per_thread", "instructions", "claims_failing"]]


def draw(ax: Axes, data: pd.DataFrame) -> None:
    shown = data[data["processors"] == 1]
    names = in_order(shown["strategy"])
    for i, name in enumerate(names):
        style = style_of(name)
        rows = shown[shown["strategy"] == name].set_index("option")["us_per_thread"]
        places = [OPTIONS.index(o) + (i - (len(names) - 1) / 2) * 0.16 for o in rows.index]
        ax.bar(places, rows, 0.15, color=style.colour, label=style.label)
    ax.set_xticks(range(len(OPTIONS)), [f"-{option}" for option in OPTIONS])
    ax.set_ylabel("Time of a null thread (µs)")
    if names:
        ax.legend(frameon=False, fontsize="small")


FIGURE = Figure(series, draw, tidy=True)
