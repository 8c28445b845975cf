# SPDX-License-Identifier: MIT
"""Figures that are described by their config: tables of [figure] in papers/<PAPER>/figures/*.toml.

    [figure.data]      Data: the keys of a row, what is averaged, the caption
    [figure.columns]   column -> expression over the columns of the runs, and over those above
    [figure.plot]      symlab.plot.curves.Plot: y, label, curve, x and so on
    [figure.curves]    name in the checks of paper.toml -> y, x, curve, symbol, where [the plot's]
    [figure.names]     further names in the checks: lists, texts, numbers

Expressions are those of `DataFrame.eval`. What is not an expression is a function in Python, which
[figure.data] names as `papers.WKS.figures.wks_8:draw`, a module of symlab_papers.
"""

import ast
import importlib
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from symlab.errors import NotRun, UserError
from symlab.places import PAPERS
from symlab.plot.curves import Curves, Plot, chosen
from symlab.plot.figure import Figure, finished
from symlab.plot.marks import count_failures
from symlab.plot.repeats import averaged, averaged_quantities

from symlab_papers.expressions import claims


@dataclass(frozen=True)
class Data:
    """The tidy data. `by`: the keys of a row. The mean of `y` over repeated runs has its `spread`
    beside it, then those of `others`; or there is a row for each of the `quantities`, with value
    and spread.

    `like`: the figure that this one is but for its sweep, its claims and its caption. `variants`:
    columns that some sweeps have, and the value of the rows that are drawn and judged. `tidy`: as
    in `Figure`.

    Functions: `series`, `draw` and `measure` are those of a Figure. `prepare` gives, from the runs
    and the columns that are needed, the rows of which the columns are computed [finished runs].
    `judges`: those of claims without a `test`.
    """

    caption: str
    like: str = ""
    by: tuple[str, ...] = ()
    y: str = ""
    spread: str = "spread"
    others: tuple[str, ...] = ()
    quantities: tuple[str, ...] = ()
    variants: Mapping[str, object] = field(default_factory=dict)
    tidy: bool = True
    series: str = ""
    draw: str = ""
    measure: str = ""
    prepare: str = ""
    judges: tuple[str, ...] = ()


@dataclass(frozen=True)
class Described:
    """The tables of a config, and its functions in Python."""

    name: str
    data: Data
    columns: Mapping[str, str]
    plot: Plot | None
    curves: Mapping[str, Mapping[str, Any]]
    names: Mapping[str, Any]

    def figure(self) -> Figure:
        data, plain = self.data, self.plot is not None and not self.data.variants
        return Figure(
            _function(data.series) or self.series,
            _function(data.draw) or self.draw,
            self.claims(),
            _function(data.measure) or (lambda run: {}),
            tidy=data.tidy,
            failures=self.plot.failures if self.plot and plain else count_failures,
            caption=data.caption,
        )

    def claims(self) -> tuple[Any, ...]:
        """Those of paper.toml whose checks are on this figure."""
        curves = {name: partial(self._curve, **of) for name, of in self.curves.items()}
        judges = [_function(name) for name in self.data.judges]
        return claims(self.name, *judges, **curves, **self.names)

    def series(self, runs: pd.DataFrame) -> pd.DataFrame:
        data, prepare = self.data, _function(self.data.prepare) or finished
        done = prepare(runs, list(self._needed())).copy()
        for name, expression in self.columns.items():
            done[name] = done.eval(expression, engine="python")
        keys = [*(name for name in data.variants if name in runs), *data.by]
        if data.quantities:
            return averaged_quantities(done, keys, data.quantities)
        return averaged(done, keys, data.y, data.spread, data.others)

    def draw(self, ax: Axes, data: pd.DataFrame) -> None:
        assert self.plot is not None, f"{self.name}: nothing says how it is drawn"
        self.plot(ax, _with(self._shown(data), self.plot.x))

    def _shown(self, data: pd.DataFrame) -> pd.DataFrame:
        return chosen(data, **{k: v for k, v in self.data.variants.items() if k in data})

    def _curve(
        self, data: pd.DataFrame, where: Mapping[str, object] | None = None, **of: Any
    ) -> Curves:
        plot = self.plot or Plot("value", "")
        of = {"y": plot.y, "x": plot.x, "curve": plot.curve, **of}
        if of["y"] not in data:
            raise NotRun(f"column {of['y']}")
        rows = chosen(self._shown(data), **(where or {}))
        return Curves.of(_with(_with(rows, of["x"]), of["curve"]), **of)

    def _needed(self) -> Iterator[str]:
        """The columns of the runs that the data need."""
        made: set[str] = set()
        for name, expression in self.columns.items():
            found = {n.id for n in ast.walk(ast.parse(expression)) if isinstance(n, ast.Name)}
            yield from sorted(found - made)
            made.add(name)
        data = self.data
        wanted = (*data.by, *data.quantities, *([data.y] if data.y else []), *data.others)
        yield from (name for name in wanted if name not in made)


def described(name: str) -> Figure | None:
    """The figure of this name, if a config of its paper describes it. Raises UserError."""
    configs = _configs(name.partition("-")[0].upper())
    if name not in configs:
        return None
    file, table = configs[name]
    try:
        own = Data(**_tuples(table["data"]))
        while like := table["data"].get("like"):
            table = configs[like][1]
        found = _described(name, table)
        data = replace(found.data, caption=own.caption, judges=own.judges)
        return replace(found, data=data).figure()
    except (TypeError, KeyError) as error:
        raise UserError(f"{file}: [figure]: {error}") from error


def _described(name: str, table: Mapping[str, Any]) -> Described:
    data, plot = Data(**_tuples(table["data"])), table.get("plot")
    columns, curves, names = (table.get(key, {}) for key in ("columns", "curves", "names"))
    return Described(name, data, columns, Plot(**_tuples(plot)) if plot else None, curves, names)


def _with(data: pd.DataFrame, name: str) -> pd.DataFrame:
    """The data with a column for what a plot or a curve names, if that is an expression, as 0."""
    if name in data:
        return data
    constant = name.isdigit() or name == "''"
    value: Any = ast.literal_eval(name) if constant else data.eval(name, engine="python")
    return data.assign(**{name: value})


def _function(name: str) -> Any:
    """The function of a module, or None."""
    module, _, function = name.partition(":")
    return getattr(importlib.import_module(f"symlab_papers.{module}"), function) if name else None


@cache
def _configs(paper: str) -> dict[str, tuple[Path, dict[str, Any]]]:
    """Name of each figure that a config of the paper describes -> the config, and its [figure]."""
    found = {}
    for file in sorted((PAPERS / paper / "figures").glob("*.toml")) if paper else []:
        table = tomllib.loads(file.read_text(encoding="utf-8")).get("figure", {})
        if "data" in table:
            found[table["name"]] = file, table
    return found


def _tuples(table: Mapping[str, Any]) -> dict[str, Any]:
    """The table with tuples in place of lists; [5] for limits without an upper end."""
    shown: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in table.items()}
    if "axes" in shown:
        shown["axes"] = {key: (*limits, None)[:2] for key, limits in shown["axes"].items()}
    return shown
