# SPDX-License-Identifier: MIT
"""ALL's strategies, and all locks, on machines whose memory is near or far: configs/figures/nodes/.

`strategies`: strategy, processors, thread_us, far_misses. `locks`: lock, processors, turn_us,
longest_wait_us, largest_share (of all turns, by one processor), far_misses, handoff_links. Times
and misses are those of one null thread or of one turn of the lock, all processors together. A
machine of one bus has no far misses and no links.
"""

from functools import partial

import pandas as pd
from matplotlib.axes import Axes
from symlab.plot.curves import Plot
from symlab.plot.figure import Figure, finished
from symlab.runs.one_run import Run

FAR, LINKS = "far_misses", "handoff_links"
DRAWN = ("xchgb", "read", "backoff", "ticket", "array", "mcs", "clh", "sub-page")  # of all locks


def measure(run: Run) -> dict[str, float]:
    """Far misses of the whole run, and links of the rings for each handoff of its first lock."""
    if "misses" not in run.summary:
        return {}
    far = {FAR: float(run["misses"]["far"])}
    locks = run["locks"]
    return far | {LINKS: float(locks[0]["mean_handoff_links"])} if locks else far


def strategies(runs: pd.DataFrame) -> pd.DataFrame:
    done = _with_distance(finished(runs, ["strategy", "processors", "threads", "elapsed_us"]))
    done["thread_us"] = done["elapsed_us"] / done["threads"]
    done[FAR] /= done["threads"]
    return _tidy(done, ["strategy", "processors"], ["thread_us", FAR])


def locks(runs: pd.DataFrame) -> pd.DataFrame:
    columns = [
        "lock", "processors", "increments", "elapsed_us", "lock_max_wait_us", "share_maximum",
    ]  # fmt: skip
    done = _with_distance(finished(runs, columns))
    done["turn_us"] = done["elapsed_us"] / done["increments"]
    done[FAR] /= done["increments"]
    done["largest_share"] = done["share_maximum"] / done["increments"]
    done = done.rename(columns={"lock_max_wait_us": "longest_wait_us"})
    return _tidy(
        done, ["lock", "processors"], ["turn_us", "longest_wait_us", "largest_share", FAR, LINKS]
    )


def _with_distance(done: pd.DataFrame) -> pd.DataFrame:
    return done.assign(**{column: done.get(column, 0.0) for column in (FAR, LINKS)})


def _tidy(done: pd.DataFrame, keys: list[str], values: list[str]) -> pd.DataFrame:
    return done.sort_values(keys)[keys + values].round(4).reset_index(drop=True)


def _draw_locks(ax: Axes, data: pd.DataFrame) -> None:
    Plot("turn_us", "Time for a turn (us)", log="xy")(ax, data[data["lock"].isin(DRAWN)])


_figure = partial(Figure, measure=measure, tidy=True)
FIGURES = {
    "strategies": _figure(
        strategies,
        Plot("thread_us", "Time for a null thread (us)", "strategy", log="xy"),
        caption="Null threads by strategy and number of processors.",
    ),
    "locks": _figure(
        locks,
        _draw_locks,
        caption="A counter under one lock, by lock and number of processors.",
    ),
}
