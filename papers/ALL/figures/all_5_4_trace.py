# SPDX-License-Identifier: MIT
"""ALL Fig. 5.4 over time: spinners and length of the section after a common start.

The numbers are for the ready queue's lock, from the transaction log. All processors leave a barrier
at once, and each then wants a thread. Whether this crowd of waiters dissolves depends on the number
of processors (queueing-model.md in docs/papers/).
"""

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from symlab.errors import UserError
from symlab.plot.figure import Figure, finished
from symlab.plot.styles import Style, style_of
from symlab.plot.ticks import from_zero
from symlab.runs.one_run import Run

if TYPE_CHECKING:
    from symlab.results.transactions import Frames

LOCK = "ready_lock"  # the lock of the central ready queue (guest/threads/strategies/)
BEGIN_US, BIN_US, BINS = -2000, 500, 40  # time 0 is when the first processor leaves the barrier
PS_PER_US = 1_000_000
# Quantity measured in each bin -> title of its axis.
AXES = {"spinners": "Spinners", "section_us": "Section (us)"}
STYLES = {
    32: Style("32 processors", "#0072B2", ":", ""),
    40: Style("40 processors", "#D55E00", "--", ""),
    64: Style("64 processors", "#000000", "-", ""),
}


def measure(run: Run) -> dict[str, float]:
    """Columns bin_<n>_spinners and bin_<n>_section_us from a run's transaction log; see `bins`.
    Raises UserError if there is no log, or if no processor leaves the barrier in it."""
    from symlab.results.transactions import load  # needs the extra parquet

    frames = load(run.folder)
    if not (frames.marks["probe"] == "region_begin").any():
        raise UserError(
            f'{run.folder}: no region begins in its log; set observe.window.around = "region_begin"'
        )
    return {
        f"bin_{number}_{name}": value
        for name, values in bins(frames).items()
        for number, value in enumerate(values)
    }


def bins(frames: "Frames") -> pd.DataFrame:
    """One row per bin: spinners, section_us. spinners: mean number of processors that wait for the
    lock. section_us: mean time from an acquisition in the bin until the lock is free. Both are NaN
    if the log does not cover the whole bin; section_us is NaN in a bin without an acquisition."""
    marks, states = frames.marks, frames.states
    begin_ps = marks.loc[marks["probe"] == "region_begin", "time_ps"].min() + BEGIN_US * PS_PER_US
    edges = begin_ps + np.arange(BINS + 1) * BIN_US * PS_PER_US
    steps = _steps(marks)
    held = steps[(steps["probe"] == "lock_acquired") & steps["free_ps"].notna()]
    length_us = (held["free_ps"] - held["time_ps"]) / PS_PER_US
    of_bin = np.searchsorted(edges, held["time_ps"], side="right") - 1
    section_us = length_us.groupby(of_bin).mean().reindex(range(BINS))
    found = pd.DataFrame({"spinners": _mean_waiting(steps, edges), "section_us": section_us})
    shown = (edges[:-1] >= states["start_ps"].min()) & (edges[1:] <= states["end_ps"].max())
    return found[shown].reindex(range(BINS))


def _steps(marks: pd.DataFrame) -> pd.DataFrame:
    """Attempts, acquisitions and releases of the lock in the order of the log.

    `end_ps`: time of the same processor's next step. `free_ps`: time at which that next step is
    complete. If the next step is a release, the lock is free at the processor's next change of
    activity: the probe point precedes the releasing instruction, and that instruction waits for the
    bus. `first`: whether the step is the processor's first in the log.
    """
    changes_ps = marks["time_ps"].where(marks["what"] == "activity")
    done_ps = changes_ps.groupby(marks["processor"]).bfill()
    steps = marks[["time_ps", "processor", "probe"]].assign(done_ps=done_ps)
    steps = steps[marks["symbol"] == LOCK]
    of_processor = steps.groupby("processor")
    return steps.assign(
        end_ps=of_processor["time_ps"].shift(-1),
        free_ps=of_processor["done_ps"].shift(-1),
        first=of_processor.cumcount() == 0,
    )


def _mean_waiting(steps: pd.DataFrame, edges: np.ndarray) -> np.ndarray:
    """Mean number of waiting processors in each bin. If a processor's first step is an acquisition,
    it has waited since before the log began. If its last step is an attempt, it waits beyond the
    end of the log."""
    attempts = steps[steps["probe"] == "lock_attempt"]
    before = steps.loc[steps["first"] & (steps["probe"] == "lock_acquired"), "time_ps"]
    starts = np.concatenate([attempts["time_ps"], np.full(len(before), edges[0])])
    ends = np.concatenate([attempts["end_ps"].fillna(edges[-1]), before])
    # Waiting time of all processors up to each edge; the increase between edges is that of a bin.
    reached = np.minimum(ends, edges[:, None]) - np.minimum(starts, edges[:, None])
    return np.diff(reached.sum(axis=1)) / (BIN_US * PS_PER_US)


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """One row per number of processors and bin, sorted: processors, time_us, spinners, section_us.
    time_us: begin of the bin; 0 is when the first processor leaves the barrier."""
    columns = {name: [f"bin_{n}_{name}" for n in range(BINS)] for name in AXES}
    done = finished(runs, ["processors", *(c for of in columns.values() for c in of)])
    done = done.sort_values("processors", kind="stable")
    tidy = {
        "processors": np.repeat(done["processors"].to_numpy(), BINS),
        "time_us": np.tile(BEGIN_US + BIN_US * np.arange(BINS), len(done)),
    }
    values = {name: done[of].to_numpy(dtype=float).ravel() for name, of in columns.items()}
    return pd.DataFrame(tidy | values)


def draw(ax: Axes, data: pd.DataFrame) -> None:
    """Draws two panels, one above the other, in place of `ax`."""
    canvas, place = ax.get_figure(), ax.get_subplotspec()
    assert canvas is not None and place is not None
    grid = place.subgridspec(len(AXES), 1)
    ax.set_subplotspec(grid[0])
    edges_ms = (BEGIN_US + BIN_US * np.arange(BINS + 1)) / 1000
    panels = [ax, canvas.add_subplot(grid[1], sharex=ax)]
    for panel, (name, label) in zip(panels, AXES.items(), strict=True):
        groups: Any = data.groupby("processors")
        for processors, rows in groups:
            style = STYLES.get(int(processors), style_of(f"{processors} processors"))
            line: dict[str, Any] = {
                "label": style.label,
                "color": style.colour,
                "linestyle": style.line,
            }
            panel.stairs(rows[name], edges_ms, baseline=None, **line)
        from_zero(panel)
        panel.set_ylabel(label)
    ax.tick_params(labelbottom=False)
    if len(data):
        ax.legend(frameon=False)
    panels[-1].set_xlabel("Time from the common start (ms)")


FIGURE = Figure(series, draw, measure=measure, tidy=True)
