# SPDX-License-Identifier: MIT
"""The plain plot: of a sweep that has no figure of its own, or of any table; it has no claims."""

import difflib
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd
from matplotlib.axes import Axes

from symlab.errors import UserError
from symlab.plot.figure import Figure, finished
from symlab.plot.legend import add_legend
from symlab.plot.look import Columns, Look, check_log, existing, guessed, numeric
from symlab.plot.marks import failed_runs, mark_points
from symlab.plot.render import save_figure
from symlab.plot.repeats import SEED, averaged, curve_names
from symlab.plot.styles import Style, styles_of
from symlab.plot.ticks import from_zero, label, log_axis, long_numbers, round_ticks
from symlab.results.columns import HOST_COLUMNS
from symlab.results.loading import find_tables, read_runs, read_table
from symlab.results.table import is_number

OWN = {"linewidth": 2.6, "markersize": 6, "zorder": 3}
OTHER = {"linewidth": 1.0, "markersize": 3.5, "alpha": 0.6}  # in a figure with curves that are OWN
FIRST_MEASURED = "simulated_us"  # of the table of a sweep; the swept columns are left of it
OTHER_FORMATS = (".pdf", ".eps", ".ps", ".jpg", ".jpeg", ".gif", ".webp", ".tif", ".tiff", ".pgf")
MOST_NAMED = 20  # values that a message lists


def generic_figure(keys: list[str], look: Look | None = None) -> Figure:
    """A plot of elapsed_us (else simulated_us) over the first numeric column of `keys`. Each
    combination of the other `keys` is a curve. If points are repeated with several seeds, y is
    their mean, with a bar of the spread to both sides. `look`: title, another y and the like."""
    wanted = look or Look()

    def data(runs: pd.DataFrame) -> pd.DataFrame:
        if wanted.y and len(finished(runs, [])):
            numeric(runs, wanted.y, f"{wanted.place('y')}: ")
        return series(runs, guessed(runs, keys, wanted.y))

    return Figure(data, partial(draw, look=wanted), failures=None)


def series(runs: pd.DataFrame, columns: Columns) -> pd.DataFrame:
    """One row per point: x, y, spread, x_name, y_name, curve, status. First the points of finished
    runs, sorted by curve and x. y: mean of the runs of this curve and x. spread: see `averaged`.
    Then a row without y for each point and status of failed runs."""
    points = averaged(_points(finished(runs, []), columns), ["curve", "x"], "y", "spread")
    failed = _points(failed_runs(runs), columns).drop_duplicates(["curve", "x", "status"])
    data = pd.concat([points.assign(status="finished"), failed.assign(y=float("nan"))])
    names = {"x_name": columns.x or "point", "y_name": columns.y}
    return data.fillna({"spread": 0.0}).reset_index(drop=True).assign(**names)


def _points(runs: pd.DataFrame, columns: Columns) -> pd.DataFrame:
    x, y = columns.x, columns.y
    return pd.DataFrame(
        {
            "x": runs[x].astype(float) if x in runs else [float(n) for n in range(len(runs))],
            "y": pd.to_numeric(runs[y]) if y in runs else pd.Series(dtype=float),
            "curve": curve_names(runs, columns.by),
            "status": runs["status"] if len(runs) else [],
        }
    )


def draw(ax: Axes, data: pd.DataFrame, look: Look | None = None) -> None:
    wanted = look or Look()
    styles = styles_of(sorted(set(data["curve"])))
    _check_own(wanted, list(styles))
    done = data[data["status"] == "finished"] if "status" in data else data
    own = [curve for curve in styles if is_own(curve, wanted)]
    for curve in [*own, *(other for other in styles if other not in own)]:
        rows = done[done["curve"] == curve]
        if len(rows):
            _draw_curve(ax, rows, styles[curve], {} if not own else OWN if curve in own else OTHER)
    if len(data):
        x_name, y_name = str(data["x_name"].iloc[0]), str(data["y_name"].iloc[0])
        ax.set_xlabel(label(x_name))
        repeated = ", mean and spread" if (data["spread"] > 0).any() else ""
        ax.set_ylabel(label(y_name) + repeated)
        _scale(ax, data, done, wanted)
    if "status" in data:
        mark_points(ax, data[data["status"] != "finished"], styles, set(done["curve"]))
    if wanted.title:
        ax.set_title(wanted.title)
    if data["curve"].nunique() > 1 or len(done) < len(data):
        add_legend(ax)


def is_own(curve: str, look: Look) -> bool:
    """Whether `look` names the curve, or one of the values in its name."""
    values = {part.rpartition("=")[2] for part in curve.split(", ")}
    return bool(({curve} | values) & set(look.own))


def _check_own(look: Look, curves: list[str]) -> None:
    for name in look.own:
        if curves and not any(is_own(curve, Look(own=(name,))) for curve in curves):
            nearest = difflib.get_close_matches(name, curves, 1)
            hint = f"did you mean {nearest[0]}? The" if nearest else "the"
            known = ", ".join(curves)
            raise UserError(
                f"{look.place('own')}: there is no curve {name}; {hint} curves are {known}"
            )


def _draw_curve(ax: Axes, rows: pd.DataFrame, style: Style, weight: dict[str, float]) -> None:
    ax.plot(rows["x"], rows["y"], **style.keywords | weight)
    spread = rows[rows["spread"] > 0]
    bars: dict[str, Any] = {"color": style.colour, "linewidth": 1, "linestyle": ""}
    if len(spread):
        ax.errorbar(spread["x"], spread["y"], spread["spread"], **bars)


def _scale(ax: Axes, data: pd.DataFrame, done: pd.DataFrame, look: Look) -> None:
    """Scale and ticks of both axes."""
    if look.is_log("x"):
        log_axis(ax, "x", data["x"])
    else:
        round_ticks(ax.xaxis, whole=bool((data["x"] == data["x"].round()).all()))
        long_numbers(ax.xaxis)
    if look.is_log("y"):
        log_axis(ax, "y", done["y"])
    else:
        from_zero(ax)
        round_ticks(ax.yaxis)
        long_numbers(ax.yaxis)


def plot_table(
    source: Path,
    x: str | None = None,
    y: str | None = None,
    by: Sequence[str] = (),
    where: Sequence[tuple[str, str]] = (),
    out: Path | None = None,
    look: Look | None = None,
) -> tuple[Columns, list[Path]]:
    """Draws y over x with a curve for each combination of the columns `by`, as SVG and PNG.

    `source`: a CSV, or the folder of a sweep. `where`: (column, value) pairs; only rows that have
    these values are drawn. `out`: path of the figure, its ending does not matter; default
    <table>-<y> beside the table. `look`: title and axes; its y is not used. Returns the columns and
    the paths. Raises UserError, OutputError.
    """
    wanted = look or Look()
    check_log(wanted)
    folder, name, table = _read(source)
    for column, value in where:
        values = table[existing(table, column)].astype(str)
        if not (values == value).any():
            present = ", ".join(sorted(set(values))[:MOST_NAMED])
            raise UserError(f"--where {column}={value}: no row has that value; there are {present}")
        table = table[values == value]
    columns = choose(table, x, y, by)
    if "status" not in table:
        table = table.assign(status="finished")
    target = _without_ending(out) if out else folder / f"{name}-{columns.y}"
    drawn = partial(draw, look=replace(wanted, title=wanted.title or name))
    figure = Figure(lambda runs: series(runs, columns), drawn, failures=None)
    return columns, save_figure(figure, table, target.parent, target.name)


def _without_ending(out: Path) -> Path:
    if out.suffix.lower() in OTHER_FORMATS:
        raise UserError(f"-o {out}: a figure is written as .svg and .png; name it without ending")
    return out.with_suffix("") if out.suffix in (".svg", ".png") else out


def choose(
    table: pd.DataFrame, x: str | None = None, y: str | None = None, by: Sequence[str] = ()
) -> Columns:
    """The columns to plot. Those that are not given are guessed from what varies in the table.
    Raises UserError that names the columns if one does not exist or has no numbers."""
    columns = list(table.columns)
    measured = FIRST_MEASURED in columns
    keys = columns[: columns.index(FIRST_MEASURED)] if measured else columns
    if y is None:
        y = guessed(table, []).y if measured else _last_numbers(table, exclude=x)
    for column in (y, *([x] if x else [])):
        numeric(table, column)
    keys = [key for key in keys if key not in (y, "status", *HOST_COLUMNS)]
    keys = [key for key in keys if table[key].nunique() > 1 and not key.startswith("spread")]
    x = x or guessed(table, keys).x
    others = tuple(key for key in keys if key not in (x, SEED))
    return Columns(x, y, tuple(existing(table, key) for key in by) or others)


def _read(source: Path) -> tuple[Path, str, pd.DataFrame]:
    """Folder, name without ending, and content of the table."""
    if source.suffix == ".csv":
        return source.parent, source.stem, read_table(source)
    folder, name = find_tables(source)
    return folder, name, read_runs(folder, name)


def _last_numbers(table: pd.DataFrame, exclude: str | None) -> str:
    """The last column of numbers, which in a table of results is what was measured."""
    numeric = [str(c) for c in table.columns if is_number(table[c]) and c != exclude]
    measured = [name for name in numeric if not name.startswith("spread")]
    if not measured:
        raise UserError("the table has no column of numbers to plot")
    return measured[-1]
