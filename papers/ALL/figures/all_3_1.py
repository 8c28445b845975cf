# SPDX-License-Identifier: MIT
"""ALL Fig. 3.1: T_a(1), creating, starting and finishing a null thread on one processor."""

from collections.abc import Sequence
from functools import partial

import pandas as pd
from matplotlib.axes import Axes
from symlab.errors import NotRun
from symlab.plot.curves import Curves, chosen, in_order
from symlab.plot.figure import Figure, finished
from symlab.plot.repeats import over_repeats
from symlab.plot.styles import STRATEGIES as STYLES
from symlab.plot.styles import style_of
from symlab_papers.expressions import claims
from symlab_papers.measures.differences import per_additional
from symlab_papers.names import NULL, STRATEGIES

PRESTO_US = 600  # ALL section 3.6: a thread of PRESTO on the same machine
DYNIX_US = 25_000  # ALL section 3.6: the creation of a DYNIX process takes more than this
LOCKING = "locking_threads"  # the null threads with one more lock in their path
OPTIONS = ("O0", "O1", "O2")  # of the compiler
KEYS = ["program", "strategy"]
_EACH = ["instructions", "spin_us"]
# Processors wait at barriers at the start and the end. That wait differs by some clocks between two
# runs, depending on the phase. Any wait for a lock takes longer than PHASE_US.
PHASE_US = 1.0


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """One row per program and strategy: latency_us, spread_us, instructions, spin_us, clock_us,
    difference_us.

    Each program is run twice, with different numbers of threads. latency_us: time per thread in
    the longer run, by the probe points before the first and after the last thread. clock_us: the
    same time by the guest's clock, which is how the paper's program measures it. difference_us:
    clock_us - latency_us. instructions and spin_us (time spent waiting for locks), both per
    thread, are from the difference between the two runs.
    """
    return over_repeats(_series, runs, KEYS, "latency_us", "spread_us")


def _series(runs: pd.DataFrame) -> pd.DataFrame:
    times = ["us_per_thread", "elapsed_us", "region_1_us"]
    done = finished(runs, [*KEYS, "threads", *times, *_EACH])
    longest = done.sort_values("threads").drop_duplicates(KEYS, keep="last")
    clock_us, elapsed_us, region_us = (pd.to_numeric(longest[name]) for name in times)
    latencies = longest[KEYS].assign(
        latency_us=clock_us * region_us / elapsed_us, clock_us=clock_us
    )
    data = latencies.merge(per_additional(done, KEYS, "threads", _EACH), on=KEYS).sort_values(KEYS)
    more_threads = done["threads"].max() - done["threads"].min()
    data["spin_us"] = data["spin_us"].where(data["spin_us"].abs() * more_threads > PHASE_US, 0.0)
    data["difference_us"] = data["clock_us"] - data["latency_us"]
    order = [*KEYS, "latency_us", *_EACH, "clock_us", "difference_us"]
    return data[order].reset_index(drop=True).round(6)


def draw(ax: Axes, data: pd.DataFrame) -> None:
    """Draws a bar per strategy, on a log scale that includes the PRESTO and DYNIX times."""
    times = _column(data, "latency_us", needed=())
    shown = [name for name in STYLES if name in times]
    colours = [STYLES[name].colour for name in shown]
    bars = ax.bar(range(len(shown)), [times[name] for name in shown], 0.6, color=colours)
    ax.bar_label(bars, fmt="%.1f")
    for level_us, label in ((PRESTO_US, "PRESTO thread"), (DYNIX_US, "DYNIX process, at least")):
        ax.axhline(level_us, color="#999999", linestyle="--")
        ax.text(-0.4, level_us * 1.1, f"{label}: {level_us:,} us (published)")
    labels = [STYLES[name].label.replace(" ", "\n") for name in shown]
    ax.set_xticks(range(len(shown)), labels, fontsize="small")
    ax.set_yscale("log")
    ax.set_ylim(10, 4 * DYNIX_US)
    ax.set_ylabel("Time of a null thread (us)")
    if ax.get_legend_handles_labels()[1]:  # between the lines of PRESTO and DYNIX
        ax.legend(frameon=False, fontsize="small", loc="center left", bbox_to_anchor=(0, 0.7))


def _column(data: pd.DataFrame, column: str, needed: Sequence[str]) -> dict[str, float]:
    """Strategy -> value of a column. Raises NotRun if one of `needed` has none."""
    rows = chosen(data, program=NULL)
    values = dict(zip(rows["strategy"], map(float, rows[column]), strict=True))
    if missing := [name for name in needed if name not in values]:
        raise NotRun(", ".join(missing))
    return values


def _curves(data: pd.DataFrame, y: str, program: str = NULL) -> Curves:
    """y by strategy on one processor."""
    return Curves.of(chosen(data, program=program).assign(processors=1), y, curve="strategy")


def _fastest(data: pd.DataFrame) -> str:
    times = _column(data, "latency_us", needed=STRATEGIES)
    return min(STRATEGIES, key=lambda name: times[name])


CLAIMS = claims(
    "all-3.1", fastest=_fastest, T=partial(_curves, y="latency_us"),
    L=partial(_curves, y="latency_us", program=LOCKING), I=partial(_curves, y="instructions"),
    W=partial(_curves, y="spin_us"),
)  # fmt: skip
OF_NULL_THREADS = [f"ALL-{number:02}" for number in range(5, 13)]  # these need no other program


# all-3.1-compiler judges no claim: all other results use -O1, with which all guests are compiled
# (guest/flags.txt).


def compiler_series(runs: pd.DataFrame) -> pd.DataFrame:
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
        judged = (claim(times) for claim in CLAIMS if claim.id in OF_NULL_THREADS)
        return ", ".join(verdict.id for verdict in judged if verdict.state == "fails")

    data["claims_failing"] = data["option"].map(failing)
    return data[[*keys, "us_per_thread", "instructions", "claims_failing"]]


def compiler_draw(ax: Axes, data: pd.DataFrame) -> None:
    shown = data[data["processors"] == 1]
    names = in_order(shown["strategy"])
    for i, name in enumerate(names):
        style = style_of(name)
        rows = shown[shown["strategy"] == name].set_index("option")["us_per_thread"]
        places = [OPTIONS.index(o) + (i - (len(names) - 1) / 2) * 0.16 for o in rows.index]
        ax.bar(places, rows, 0.15, color=style.colour, label=style.label)
    ax.set_xticks(range(len(OPTIONS)), [f"-{option}" for option in OPTIONS])
    ax.set_ylabel("Time of a null thread (us)")
    if names:
        ax.legend(frameon=False, fontsize="small")


FIGURE = Figure(series, draw, CLAIMS, tidy=True)
CAPTION = "The effect of optimisation on a null thread."
FIGURES = {"compiler": Figure(compiler_series, compiler_draw, tidy=True, caption=CAPTION)}
