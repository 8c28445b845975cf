# SPDX-License-Identifier: MIT
"""The sweeps of the selection study: one line per combination, coloured by the arbiter's option.

The arbiter's option is bus.locked_request, its treatment of requests for a locked line. The
verdicts need both sweeps together and are in symlab_tools.selection.
"""

from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from symlab.plot.figure import Figure, finished
from symlab.plot.ticks import from_zero

COLOURS = {"skip": "#D55E00", "bypass": "#CC79A7", "keep-turn": "#0072B2", "hold-bus": "#009E73"}
OPTIONS = ["locked_request", "locked_class", "unlock", "lock"]


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """One row per run: OPTIONS, processors, time_us. time_us: time of an increment, or time of a
    barrier divided by the number of processors."""
    done = finished(runs, [*OPTIONS, "processors", "elapsed_us"]).copy()
    if "rounds" in done:
        done["time_us"] = done["elapsed_us"] / done["rounds"] / done["processors"]
    else:
        done["time_us"] = done["elapsed_us"] / done["increments"]
    return done[[*OPTIONS, "processors", "time_us"]]


def draw(ax: Axes, data: pd.DataFrame) -> None:
    groups: Any = data.groupby(OPTIONS, sort=False)
    for options, rows in groups:
        ax.plot(rows["processors"], rows["time_us"], color=COLOURS[options[0]], lw=0.5)
    ax.set_xlabel("Processors")
    ax.set_ylabel("Time of an increment, or of a barrier / processors (us)")
    from_zero(ax)
    handles = [Line2D([], [], color=colour, label=name) for name, colour in COLOURS.items()]
    ax.legend(handles=handles, frameon=False)


FIGURE = Figure(series, draw)
