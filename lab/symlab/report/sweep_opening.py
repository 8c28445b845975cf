# SPDX-License-Identifier: MIT
"""The first screen of the page about a sweep: where its main column is least and most.

`metric`: the name of that column, and `means`: its points (see `sweep_page.points`); "" and None
if no column can be drawn.
"""

from typing import Any

import pandas as pd

from symlab.plot.failures import failed_runs
from symlab.plot.repeats import curve_names
from symlab.plot.styles import style_of
from symlab.report.section import Tile
from symlab.report.sweep_data import SweepData
from symlab.report.words import number


def headline(sweep: SweepData, metric: str, means: pd.DataFrame | None) -> str:
    """The best and worst curve at the largest x that they share, or the extremes of one curve."""
    if not len(sweep.finished):
        return f"None of the {len(sweep.runs)} runs finished."
    if sweep.x is None:
        return "No swept key has numbers, so there is no axis for curves; the runs are below."
    if means is None:
        return "No measured column differs between the finished runs."
    means = _complete(sweep, means)
    everywhere = means.groupby("x")["curve"].nunique() == means["curve"].nunique()
    if means["curve"].nunique() > 1 and everywhere.any():
        x = everywhere[everywhere].index.max()
        least, most = _extremes(means[means["x"] == x])
        place = f"At {sweep.x} = {x}, {metric}"
        names = [style_of(str(row["curve"])).label for row in (least, most)]
    else:
        least, most = _extremes(means)
        place = metric
        names = [_place(sweep, row) for row in (least, most)]
    if least["mean"] == most["mean"]:
        return f"{place} is the same for all: {number(least['mean'])}."
    times = f", {number(most['mean'] / least['mean'])} times as much" if least["mean"] else ""
    return (
        f"{place} is least for {names[0]} ({number(least['mean'])}) and most for {names[1]} "
        f"({number(most['mean'])}{times})."
    )


def tiles(sweep: SweepData, metric: str, means: pd.DataFrame | None) -> list[Tile]:
    """The number of runs, the extremes of the main column, and the range of the bus's use."""
    finished, failed = len(sweep.finished), len(sweep.runs) - len(sweep.finished)
    swept = [f"{key}: {sweep.runs[key].nunique()} values" for key in sweep.keys]
    missing = [f"{failed} did not finish."] if failed else []
    found = [Tile("Runs", f"{finished} finished", notes=[*missing, f"Swept: {', '.join(swept)}."])]
    if means is None:
        return found
    for name, row in zip(("Least", "Most"), _extremes(means), strict=True):
        count = f"Mean of {row['runs']} runs." if row["runs"] > 1 else "One run."
        place = _place(sweep, row)
        notes = [f"{place[0].upper()}{place[1:]}.", count]
        found.append(Tile(f"{name} {metric}", number(row["mean"]), notes=notes))
    if "bus_utilisation" in sweep.finished:
        use = 100 * sweep.finished["bus_utilisation"]
        found.append(Tile("Bus busy", f"{use.min():.1f} to {use.max():.1f}\u00a0%"))
    return found


def _complete(sweep: SweepData, means: pd.DataFrame) -> pd.DataFrame:
    """The points of the curves without failed runs, if there are two or more such curves.

    A lock that runs on one processor only would otherwise leave just that x to compare at.
    """
    failed = set(curve_names(failed_runs(sweep.runs), sweep.curves))
    complete = means[~means["curve"].isin(failed)]
    return complete if complete["curve"].nunique() > 1 else means


def _extremes(means: pd.DataFrame) -> tuple[pd.Series, pd.Series]:
    least: Any = means["mean"].idxmin()
    most: Any = means["mean"].idxmax()
    return means.loc[least], means.loc[most]


def _place(sweep: SweepData, row: pd.Series) -> str:
    """A point in words: its curve, if there are several, and x."""
    at = f"{sweep.x} = {row['x']}"
    return f"{style_of(str(row['curve'])).label}, {at}" if row["curve"] else at
