# SPDX-License-Identifier: MIT
"""A figure: data, drawing and verdicts, kept separate; and the figure that a config names.

render.py draws it and writes its files. The lab itself has only the plain plot; packages with
figures declare a function name -> Figure or None as an entry point of FINDERS.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pandas as pd

from symlab.errors import UserError
from symlab.plot.marks import Printed, count_failures
from symlab.results.columns import texts
from symlab.results.csv_file import csv_bytes

if TYPE_CHECKING:  # matplotlib takes half a second to import, and a search for bugs draws nothing
    from matplotlib.axes import Axes
from dataclasses import replace
from functools import cache
from importlib.metadata import entry_points

from symlab.plot.look import Look

State = Literal["holds", "fails", "undecided", "not run"]

# Columns of tidy data whose names may look like numbers, such as row 120 of a table, or be empty.
NAMED = texts("row", "claims_failing")
FINDERS = "symlab.figures"


@dataclass(frozen=True)
class Verdict:
    """The result of judging one claim.

    `value` is compared with `bound`. `margin` is their signed distance in the value's unit,
    positive if the claim holds, never positive if it does not. All three are None if there is
    nothing to compare. `check`: what was compared. `note`: which runs are missing, or at which
    point the value was taken. A claim is undecided if it orders values that differ by no more than
    their run-to-run spread.
    """

    id: str
    state: State
    value: float | None
    bound: float | None
    margin: float | None
    check: str
    note: str = ""


@dataclass(frozen=True)
class Beside:
    """Another sweep whose data the claims of a figure need.

    `sweep`: its name. `joined`: the figure's data with those of the other sweep's figure added.
    `own`: the figure's data with its own numbers in their place, for a study of variants of the
    machine, for which the other sweep is not run.
    """

    sweep: str
    joined: Callable[[pd.DataFrame, pd.DataFrame], pd.DataFrame]
    own: Callable[[pd.DataFrame], pd.DataFrame]


@dataclass(frozen=True)
class Figure:
    """One figure.

    `series`: pure function from the runs (one row each, columns of the sweep's CSV) to tidy data.
    `draw`: plots the data on the axes and changes nothing else. `claims`: functions from the data
    to a verdict. `tidy`: whether <name>.csv contains the tidy data; the runs are then in
    <name>-runs.csv. `measure`: function from a finished `Run` to further columns of its row, for
    quantities that `table.summary_columns` lacks. `failures`: marks the failed runs on the axes;
    None if `draw` does. `printed`: numbers in the paper's text that belong in the figure.

    `beside`: another sweep that some claims need; without its data these are not run.
    `title`: above the axes; the published figures have their `caption` in the text instead.
    `files_of`: from the verdicts and the sweep's name to further files, by name.

    A column of spreads (plot/repeats.py) with nothing but zeros means that nothing was repeated.
    """

    series: Callable[[pd.DataFrame], pd.DataFrame]
    draw: Callable[["Axes", pd.DataFrame], None]
    claims: tuple[Callable[[pd.DataFrame], Verdict], ...] = ()
    measure: Callable[[Any], dict[str, float]] = lambda run: {}
    tidy: bool = False
    failures: Callable[["Axes", pd.DataFrame], None] | None = count_failures
    printed: tuple[Printed, ...] = ()
    beside: Beside | None = None
    title: str = ""
    caption: str = ""
    files_of: Callable[[list[Verdict], str], dict[str, bytes]] = lambda verdicts, name: {}

    def csv(self, runs: pd.DataFrame) -> bytes:
        """The tidy data as CSV."""
        return csv_bytes(self.series(runs), NAMED)

    def judge(self, runs: pd.DataFrame) -> list[Verdict]:
        """One verdict per claim, from the table of runs."""
        return self.judge_data(self.series(runs))

    def judge_data(self, data: pd.DataFrame) -> list[Verdict]:
        """One verdict per claim, from the tidy data that `series` returns."""
        unknown = [c for c in map(str, data) if c.startswith("spread") and (data[c] == 0).all()]
        data = data.assign(**dict.fromkeys(unknown, np.nan))
        return [claim(data) for claim in self.claims]


def finished(runs: pd.DataFrame, columns: list[str]) -> pd.DataFrame:
    """The rows of finished runs. Raises UserError if the table lacks one of `columns`."""
    missing = [column for column in [*columns, "status"] if column not in runs]
    if missing and (runs.get("status", pd.Series(dtype=object)) == "finished").any():
        raise UserError(f"the runs have no column {', '.join(missing)}; has the guest changed?")
    if missing:
        return pd.DataFrame({column: pd.Series(dtype=float) for column in [*columns, "status"]})
    return runs[runs["status"] == "finished"]


def find_figure(name: str, keys: list[str], look: Look | None = None) -> Figure:
    """The figure `name`, as in figure.name of a config, else a plain plot over columns `keys`.
    `look`: title, and what else the config says about the plain plot."""
    wanted = look or Look()
    if (found := _found(name)) is not None:
        if replace(wanted, title="", where="") != Look():
            raise UserError(
                f"{wanted.where}: figure.y, figure.log and figure.own are for the plain plot, but "
                f'figure.name is "{name}"; take them out, or set figure.name = ""'
            )
        return replace(found, title=wanted.title)
    from symlab.plot.generic import generic_figure

    return generic_figure(keys, replace(wanted, title=wanted.title or name))


def is_known(name: str) -> bool:
    """Whether there is a figure `name`, other than the plain plot."""
    return _found(name) is not None


@cache
def _found(name: str) -> Figure | None:
    finders = (entry.load() for entry in entry_points(group=FINDERS)) if name else ()
    return next((figure for find in finders if (figure := find(name))), None)
