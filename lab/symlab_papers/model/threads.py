# SPDX-License-Identifier: MIT
"""Thread throughput by the model and by the simulator, shared by ALL Figures 5.1 to 5.4.

The strategies are those of ALL section 5: local free lists with one central ready queue, and local
ready queues.
"""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from symlab.plot.curves import Curves, chosen, round_axes
from symlab.plot.figure import Figure
from symlab.plot.repeats import over_repeats
from symlab.plot.styles import style_of
from symlab.plot.ticks import from_zero

from symlab_papers.claims import Judge
from symlab_papers.model.demands import Experiments, Row, measure, per_thread
from symlab_papers.model.levels import Point, solve
from symlab_papers.names import FREELIST, LOCAL, NULL

STRATEGIES = (LOCAL, FREELIST)
MODEL, PLAIN, SIMULATED = "model", "model without handoff", "simulated"
BOTH = (MODEL, SIMULATED)
# Source -> line style and marker.
LINES = {SIMULATED: ("-", "o"), MODEL: ("--", "none"), PLAIN: (":", "none")}

KEYS = ["strategy", "processors", "work_us", "store_turns"]
POINT = [*KEYS, "source", "quantity"]
COLUMNS = [*POINT, "value", "alone_us", "alone_bus_share"]
DIGITS = 6


def compared(runs: pd.DataFrame, management_us: int) -> pd.DataFrame:
    """Tidy data, sorted: columns POINT, value, spread, alone_us, alone_bus_share.

    `management_us`: work of the threads in the management experiment (model/demands.py), us.
    alone_us: time of a thread's work on one processor; alone_bus_share: the part of that time for
    which it occupies the bus. source: "simulated", "model", or "model without handoff", which is
    the paper's model. quantity: rate in thousands of threads per second; spinners, their mean
    number; section_us, from acquisition until the lock is free; bus_utilisation.
    """
    once = partial(_compared, management_us=management_us)
    return over_repeats(once, runs, POINT, "value", "spread").round(DIGITS)


def _compared(runs: pd.DataFrame, management_us: int) -> pd.DataFrame:
    rows = per_thread(runs)
    experiments = Experiments(rows, management_us)
    subjects = rows[(rows["program"] != NULL) & (rows["work_us"] != management_us)]
    alone = {
        (run["strategy"], run["work_us"], run["store_turns"]): run
        for run in subjects[subjects["processors"] == 1].to_dict("records")
    }
    found = []
    for run in subjects.to_dict("records"):
        single = alone.get((run["strategy"], run["work_us"], run["store_turns"]))
        if single is None:
            continue
        share = single["user_bus_us"] / single["user_us"]
        keys, work = [run[key] for key in KEYS], (single["user_us"], share)
        for source, quantities in _sources(run, single, experiments):
            found += [(*keys, source, name, value, *work) for name, value in quantities.items()]
    return pd.DataFrame(found, columns=COLUMNS).sort_values(POINT).reset_index(drop=True)


def _sources(
    run: Row, alone: Row, experiments: Experiments
) -> Iterable[tuple[str, dict[str, float]]]:
    counted = {name: run[name] for name in ("rate", "spinners", "bus_utilisation")}
    yield SIMULATED, counted | {"section_us": run["critical_us"] / run["passes"]}
    processors = int(run["processors"])
    if experiments.missing(run["strategy"], processors):
        return
    demands = experiments.demands(alone, processors)
    yield MODEL, _quantities(solve(processors, demands))
    yield PLAIN, _quantities(solve(processors, demands, handoff=False))


def _quantities(point: Point) -> dict[str, float]:
    return {
        "rate": 1000 * point.occupancy.throughput,
        "spinners": point.occupancy.spinners,
        "section_us": point.times.section_us,
        "bus_utilisation": point.bus_utilisation,
    }


def figure(
    claims: tuple[Judge, ...], management_us: int, plot: Callable[..., None], **only: int
) -> Figure:
    """A figure of the data of `compared`. `only`: column -> value of the rows that it has."""

    def series(runs: pd.DataFrame) -> pd.DataFrame:
        data = compared(runs, management_us)  # the experiments may use other rows too
        return chosen(data, **only).reset_index(drop=True)

    return Figure(series, plot, claims, measure, tidy=True)


def curves(
    data: pd.DataFrame, quantity: str, source: str, x: str = "processors", symbol: str = "P"
) -> Curves:
    """One quantity of one source in the data of `compared`, by strategy and `x`."""
    rows = chosen(data, quantity=quantity, source=source)
    return Curves.of(rows, "value", x, curve="strategy", symbol=symbol)


def draw(ax: Axes, data: pd.DataFrame, x: str, label: str, log: bool = False, **only: int) -> None:
    """Plots threads per second by `x`, with a colour per strategy and a line style per source.
    `log`: whether the x axis is logarithmic. `only`: column -> value of the rows that are drawn."""
    shown = chosen(data, quantity="rate", **only)
    for strategy in STRATEGIES:
        style = style_of(strategy)
        for source, (line, marker) in LINES.items():
            rows = chosen(shown, strategy=strategy, source=source).sort_values(x)
            look: dict[str, Any] = {
                "color": style.colour,
                "linestyle": line,
                "marker": marker,
                "markersize": 3,
            }
            ax.plot(rows[x], rows["value"], label=f"{style.label}, {source}", **look)
    from_zero(ax)
    round_axes(ax, data[x])
    ax.set_xlabel(label)
    ax.set_ylabel("Threads per second (1000s)")
    if log:
        ax.set_xscale("log")
    if len(shown):
        ax.legend(frameon=False, fontsize="x-small")
