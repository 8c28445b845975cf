# SPDX-License-Identifier: MIT
"""Published experiments on a Symmetry Model B: time and overhead per turn, by kind of lock.

Anderson: T. E. Anderson, "The Performance of Spin Lock Alternatives for Shared-Memory
Multiprocessors", IEEE TPDS 1(1), 1990. Mellor-Crummey and Scott: J. M. Mellor-Crummey, M. L. Scott,
"Algorithms for Scalable Synchronization on Shared-Memory Multiprocessors", ACM TOCS 9(1), 1991.

A turn is one acquire, critical section, release and pause. Each table has one row per scheme (lock
or barrier), section and number of processors. Columns: processors, scheme, section_us,
elapsed_us_per_turn, overhead_us_per_turn. Overhead is elapsed time minus that of an ideal machine
where waiting costs nothing (`ideal`), so it includes the lock's own instructions. The table of
`acquire` has one more column, loop_us_per_turn.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from symlab.plot.curves import in_order
from symlab.plot.figure import Figure, finished
from symlab.plot.legend import add_legend
from symlab.plot.marks import mark_failures
from symlab.plot.styles import styles_of
from symlab.plot.ticks import from_zero

from symlab_papers.measures.ideal import Turns, ideal_ps
from symlab_papers.measures.quiescence import measure

KEYS = ["section_us", "scheme", "processors"]
COLUMNS = ["processors", "scheme", "section_us", "elapsed_us_per_turn", "overhead_us_per_turn"]
LOOP = "loop_us_per_turn"
IDEAL = "ideal"

PROCESSORS = 18  # the published curves end at 18 processors

# The parts of a turn, and the scatter of their measurement with a clock of 1 us. The times are
# rounded to multiples of the scatter.
SCATTER_PS = {
    "section_ps": 10_000,
    "section_moved_ps": 10_000,
    "pause_least_ps": 10_000,
    "pause_step_ps": 100,
}
_NEEDED = ["lock", "rounds", "turns_done", "elapsed_us", "start_ps", "pause_steps", "seed"]


def of_turns(runs: pd.DataFrame, with_ideal: bool = False) -> pd.DataFrame:
    """The table (see above) from runs of workloads that include guest/workloads/turns.h.
    `with_ideal` adds the ideal machine as a scheme of its own. Raises UserError if a column of the
    runs is missing."""
    rows = _rows(runs)
    if with_ideal:
        same: dict[str, Any] = {"scheme": IDEAL, "overhead_us_per_turn": 0.0}
        ideal_us = rows["elapsed_us_per_turn"] - rows["overhead_us_per_turn"]
        rows = pd.concat([rows, rows.assign(elapsed_us_per_turn=ideal_us, **same)])
    return tidy(rows)


def acquire(runs: pd.DataFrame) -> pd.DataFrame:
    """The table of turns without pauses, with loop_us_per_turn: the part of the whole turn that
    loop and calls take.

    Section, loop and overhead add up to the whole turn. Loops of several processors overlap each
    other and other processors' sections. So the part is the ideal machine's time minus the section:
    with one processor the whole time of loop and calls, with P and an empty section 1 / P of it.
    """
    rows = _rows(runs)
    rest_us = rows["elapsed_us_per_turn"] - rows["section_us"]
    return tidy(rows.assign(**{LOOP: rest_us - rows["overhead_us_per_turn"]}), LOOP)


def _rows(runs: pd.DataFrame) -> pd.DataFrame:
    """The table with a row for each run, not rounded."""
    rows = []
    for run in finished(runs, ["processors", *_NEEDED, *SCATTER_PS]).to_dict("records"):
        turns, rounds, processors = (int(run[k]) for k in ("turns_done", "rounds", "processors"))
        parts = {name: round(run[name] / step) * step for name, step in SCATTER_PS.items()}
        counts = {name: int(run[name]) for name in ("pause_steps", "seed")}
        work = Turns(processors, turns // rounds, rounds, **parts, **counts)
        ideal_us = ideal_ps(work) / 1e6 / turns
        elapsed_us = (run["elapsed_us"] - rounds * run["start_ps"] / 1e6) / turns
        section_us = parts["section_ps"] / 1e6
        rows.append((processors, run["lock"], section_us, elapsed_us, elapsed_us - ideal_us))
    return pd.DataFrame(rows, columns=COLUMNS)


def of_times(processors: pd.Series, schemes: pd.Series, time_us: pd.Series) -> pd.DataFrame:
    """The table of turns without a section: the whole time of a turn is overhead. Turns whose time
    is missing have no row."""
    rows = {"processors": processors, "scheme": schemes, "section_us": 0.0}
    rows |= {"elapsed_us_per_turn": time_us, "overhead_us_per_turn": time_us}
    return tidy(pd.DataFrame(rows).dropna())


def tidy(rows: pd.DataFrame, *more: str) -> pd.DataFrame:
    """The rows sorted, with means over runs that differ only in the seed, rounded to 1 ps. `more`:
    columns besides those that every table has."""
    means = rows.groupby(KEYS, sort=True, as_index=False).mean()
    return means[[*COLUMNS, *more]].round(6)


def draw(ax: Axes, data: pd.DataFrame, column: str, label: str) -> None:
    """Plots one curve per scheme and section; sections longer than the shortest are pale."""
    shortest = data["section_us"].min()
    schemes = set(data["scheme"]) - {IDEAL}
    for scheme, style in styles_of(in_order(schemes)).items():
        for section, rows in data[data["scheme"] == scheme].groupby("section_us", sort=True):
            keywords = style.keywords
            if section != shortest:
                keywords |= {"label": "_", "alpha": 0.5, "fillstyle": "none"}
            ax.plot(rows["processors"], rows[column], **keywords)
    ax.set_xlabel("Processors")
    ax.set_ylabel(label)
    from_zero(ax)
    ax.set_xlim(0, PROCESSORS + 0.5)
    ax.set_xticks(range(0, PROCESSORS + 1, 2))
    add_legend(ax, fontsize="small")


def barriers(runs: pd.DataFrame) -> pd.DataFrame:
    """The table of barriers without work between two episodes; an episode counts as a turn."""
    done = finished(runs, ["processors", "barrier", "elapsed_us", "episodes"])
    time_us = pd.to_numeric(done["elapsed_us"]) / pd.to_numeric(done["episodes"])
    return of_times(done["processors"], done["barrier"], time_us)


def quiescence(runs: pd.DataFrame) -> pd.DataFrame:
    """The table of releases, each of which counts as a turn: the time until all spinners loop in
    their caches again. `processors` is the number of processors that spin when the lock is
    released; one more held it. Runs in which the spinners never settle have no row."""
    done = finished(runs, ["processors", "lock", "settle_us"])
    return of_times(done["processors"] - 1, done["lock"], pd.to_numeric(done["settle_us"]))


def _figure(
    series: Callable[[pd.DataFrame], pd.DataFrame],
    column: str,
    label: str,
    curve: str = "lock",
    **more: Any,
) -> Figure:
    """The figure of a column of the table over processors. `label`: of the y axis; `curve`: the
    column of the runs with the scheme; `more`: further fields of the figure."""
    drawn = partial(draw, column=column, label=label)
    failures = partial(mark_failures, curve=curve)
    return Figure(series, drawn, tidy=True, failures=failures, **more)


_with_ideal = partial(of_turns, with_ideal=True)
_elapsed = partial(_figure, column="elapsed_us_per_turn")
_overhead = partial(_figure, column="overhead_us_per_turn")

FIGURES = {
    # The whole turn of a loop that calls acquire and release, with an empty section and with one of
    # 6.48 us (Mellor-Crummey and Scott, section 4). Pale curves with hollow markers are for the
    # longer section.
    "acquire": _elapsed(acquire, label="Turn with acquire and release (us)"),
    # Simultaneous arrival: all processors start together and take the lock once each (Anderson).
    # The overhead per turn is the elapsed time minus that of the same sections in sequence without
    # waiting, divided by the number of processors.
    "arrive": _overhead(_with_ideal, label="Overhead per turn (us)"),
    # Time of a barrier's episode, without work between two (Mellor-Crummey and Scott, section 4).
    "barriers": _elapsed(barriers, label="Time per episode (us)", curve="barrier"),
    # Time from a release until all spinners loop in their caches again (Anderson).
    "quiesce": _elapsed(quiescence, label="Time to quiesce (us)", measure=measure),
    # Spinning in a small section with pauses (Anderson): P processors loop 1,000,000 / P times over
    # lock, section, unlock and a pause, whose length is uniformly distributed with a mean of five
    # sections.
    "spin": _overhead(_with_ideal, label="Overhead per turn (us)"),
}
