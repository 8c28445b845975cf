# SPDX-License-Identifier: MIT
"""Threads per second by strategy and number of processors, shared by ALL Figures 3.2 and 3.3."""

from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from symlab.plot.curves import Curves, Plot, chosen
from symlab.plot.figure import Figure, finished
from symlab.plot.ranged import Ranged
from symlab.plot.repeats import averaged_quantities

from symlab_papers.claims import Judge
from symlab_papers.names import NULL, SINGLE

PROCESSORS = range(1, 21)  # the paper's Symmetry has 20
MANY = 18  # number of processors of ALL Figure 3.4, at which the claims compare strategies
LEGEND_ROOM = 1.35
QUANTITIES = ("rate", "clock_excess", "spin_share", "bus_utilisation", "finish_spread")


def rates(runs: pd.DataFrame) -> pd.DataFrame:
    """Tidy data, sorted: columns program, strategy, processors, quantity, value, spread.

    Quantities: rate is thousands of threads per second, timed by probe points. clock_excess is how
    much longer the guest's clock (the paper's method) measures the same time, as a part of it.
    spin_share is the part of all processors' time spent waiting for locks. finish_spread is how
    much earlier the first processor finishes its share than the last, as a part of the total time.
    bus_utilisation is the part of the time that the bus is occupied.
    """
    columns = ["processors", "strategy", "us_per_thread", "elapsed_us", "region_1_us", "first_us"]
    done = finished(runs, [*columns, "spin_us", "simulated_us", "bus_utilisation"]).copy()
    if "program" not in done:
        done["program"] = NULL
    by_clock = done["elapsed_us"] / done["region_1_us"]
    done["rate"] = by_clock * 1000 * done["processors"] / done["us_per_thread"]
    done["clock_excess"] = by_clock - 1
    done["spin_share"] = done["spin_us"] / done["simulated_us"] / done["processors"]
    done["finish_spread"] = 1 - done["first_us"] / done["elapsed_us"]
    keys = ["program", "strategy", "processors"]
    return averaged_quantities(done, keys, QUANTITIES)


class Rates(Curves):
    """Threads per second in thousands, by strategy and number of processors."""

    def ceiling(self, strategy: str) -> float:
        """The highest rate of the strategy over all numbers of processors."""
        return max(self.curve(strategy).values())

    def ceilings(self, less: str, more: str) -> tuple[Ranged, Ranged]:
        """The ceilings of two strategies as a pair (less, more) for `Claim.ordered`."""
        return self.pair((less, self.peak(less)), (more, self.peak(more)))

    def below_bound(self, strategy: str, most: float) -> dict[float, float]:
        """For each P, how far the rate is below min(P x R(1), most), as a part of that bound. With
        deterministic times the rate would reach the bound (ALL section 5.2)."""
        curve = self.curve(strategy)
        return {p: 1 - r / min(p * curve[1.0], most) for p, r in curve.items()}

    def knee(self, strategy: str, most: float) -> float:
        """The number of processors at which the two terms of that bound are equal."""
        return most / self[strategy, 1]


def curves(data: pd.DataFrame, quantity: str, program: str = NULL) -> Rates:
    """One quantity of the data of `rates`, by strategy and number of processors."""
    rows = chosen(data, program=program, quantity=quantity)
    return Rates.of(rows, "value", curve="strategy")


def figure(program: str, claims: tuple[Judge, ...]) -> Figure:
    """The figure of the threads per second of a program; the right axis shows the speedup over one
    processor with a single lock."""
    plot = Plot(
        "value",
        "Threads per second (1000s)",
        "strategy",
        most=PROCESSORS[-1],
        where={"program": program, "quantity": "rate"},
        room=LEGEND_ROOM,
    )

    def draw(ax: Axes, data: pd.DataFrame) -> None:
        plot(ax, data)
        rate = curves(data, "rate", program)
        if (SINGLE, 1) in rate:
            base = rate[SINGLE, 1]
            functions: Any = (lambda r: r / base, lambda s: s * base)
            right = ax.secondary_yaxis("right", functions=functions)
            right.set_ylabel("Speedup over a single lock on one processor")

    return Figure(rates, draw, claims, tidy=True, failures=plot.failures)
