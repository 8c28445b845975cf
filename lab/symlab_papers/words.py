# SPDX-License-Identifier: MIT
"""The vocabulary of the templates of pages: results as frames, tables, and numbers as text."""

import builtins
import importlib
import json
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd
from symlab import places
from symlab.errors import UserError, reason
from symlab.plot.curves import chosen
from symlab.results import markdown
from symlab.results.loading import read_runs, read_table

from symlab_papers.counts import WORDS, by_kind, counted, measured, state_cell
from symlab_papers.kept_rows import SPREADS
from symlab_papers.paper import PAPERS, find_paper, parts, results_of

Shown = str | Callable[[Any], str]  # how a number is written: a format, such as .1f, or by whom
BUILTINS = ("abs", "len", "map", "max", "min", "round", "sorted", "str", "sum", "zip")


class Words:
    """The words for the pages of `paper`. `out`: as for `results_of`. Files are read once. Those
    who read them raise UserError if a file cannot be read."""

    def __init__(self, paper: str, out: Path | None = None) -> None:
        self.paper = paper
        self.folder: Callable[[str], Path] = lambda group: results_of(group, out)
        self.csv = cache(self._csv)
        self.claims = cache(self._claims)
        self.part = cache(lambda: {part.name: part for part in parts(find_paper(paper))})

    def all(self) -> dict[str, Any]:
        own = ("csv", "claims", "figure", "curves", "table", "sweeps", "anchors")
        return {
            **{name: getattr(self, name) for name in own},
            **{name: getattr(builtins, name) for name in BUILTINS},
            "module": module, "named": named, "chosen": chosen, "counted": counted,
            "measured": measured, "pd": pd, "sig": significant, "STATES": list(WORDS),
            "parts": self.part, "spreads": lambda: SPREADS.load(self.folder(self.paper)),
            "by_kind": lambda: "\n".join(
                by_kind([(c["id"], c["kind"], c["verdict"]) for c in self.claims()])
            ),
        }  # fmt: skip

    def filters(self) -> dict[str, Callable[..., Any]]:
        return {
            "f": lambda value, after_point=0: f"{value:.{after_point}f}", "sig": significant,
            "pct": percent, "span": span, "state": state_cell, "curves": self.curves,
            "cell": lambda text: str(text).replace("|", "\\|"),
        }  # fmt: skip

    def figure(self, part: str, **where: object) -> pd.DataFrame:
        """The data of the figure of a part, such as "figure-4.1": the rows with these values of
        columns."""
        figure, table = self.part()[part].figure, self.csv(part)
        return chosen(table if figure.tidy else figure.series(table), **where)

    def curves(
        self, of: str | pd.DataFrame, x: Any, curve: Any, value: str, **where: object
    ) -> pd.DataFrame:
        """A frame with a column for each curve and a row for each x: the column `value` of the data
        of a figure, or of a frame. `x` and `curve` are columns, or lists of columns."""
        frame = self.figure(of) if isinstance(of, str) else of
        return chosen(frame, **where).pivot(index=x, columns=curve, values=value)

    def table(
        self, corner: str, frame: pd.DataFrame, rows: Any = None, columns: Any = None,
        shown: Shown | Mapping[Any, Shown] = str,
    ) -> str:  # fmt: skip
        """A table in Markdown with the columns of `frame` as rows. `rows`, `columns`: keys of the
        frame, or keys with titles [all]. `corner`: title of the titles. `shown`: also by row, where
        "" stands for all others."""
        rows = _titles(frame.columns if rows is None else rows)
        columns = _titles(frame.index if columns is None else columns)

        def cell(row: Any, column: Any) -> str:
            if row not in frame or column not in frame.index:
                return ""
            form = shown.get(row, shown.get("", str)) if isinstance(shown, Mapping) else shown
            return text(frame[row].loc[column], form)

        body = ((title, *(cell(row, column) for column in columns)) for row, title in rows.items())
        return "\n".join(markdown.table((corner, *columns.values()), body))

    def sweeps(self, names: Iterable[str]) -> str:
        """A table of these parts: what each measures, its claims with their verdicts, its size."""
        rows = []
        for name in names:
            instructions = read_runs(self.folder(self.paper), name)["instructions"].sum() / 1e6
            caption, claims = self.part()[name].caption, _ranges(self.claims(), name)
            rows.append((f"`{name}`", caption, claims, significant(instructions, 2)))
        head = ("Config", "What it measures", "Claims, **fails**", "10^6 instructions")
        return "\n".join(markdown.table(head, rows))

    def anchors(self, pages: Iterable[str]) -> dict[str, str]:
        """Each claim that a heading of one of these pages names, and the link to the heading."""
        folder = places.ROOT / PAPERS / self.paper / "pages"
        found: dict[str, str] = {}
        for page in pages:
            template = (folder / f"{page}.j2").read_text(encoding="utf-8")
            for heading in re.findall(r"^#+ (.*)$", template, re.MULTILINE):
                anchor = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
                claims = re.findall(rf"{self.paper}-\d+", heading)
                found |= dict.fromkeys(claims, f"{page}#{anchor}")
        return found

    def _csv(self, name: str) -> pd.DataFrame:
        """A table by its name, such as "figure-4.1", or of another group, as "model-b/spin"."""
        group, _, table = name.rpartition("/")
        return read_table(self.folder(group or self.paper) / f"{table}.csv")

    def _claims(self) -> list[dict[str, Any]]:
        path = self.folder(self.paper) / "claims.json"
        try:
            return list(json.loads(path.read_bytes())["claims"])
        except (OSError, ValueError) as error:
            raise UserError(f"{path}: no claims can be read: {reason(error)}") from error
        except KeyError as error:
            raise UserError(f"{path}: no claims can be read: there is no key {error}") from error


def module(name: str) -> Any:
    """A module of the lab, as .measures.fits, or of a paper, as .papers.ALL.figures.all_3_5."""
    return importlib.import_module(name, "symlab_papers")


def named(keys: Iterable[Any], form: str = "{}") -> dict[Any, str]:
    """Keys with titles of this form."""
    return {key: form.format(key) for key in keys}


def significant(value: float, number: int = 3) -> str:
    """The value with this many significant digits, without an exponent."""
    rounded = float(f"{value:.{number}g}")
    return f"{rounded:.{max(0, number - len(str(int(abs(rounded)))))}f}"


def percent(part: float, after_point: int = 0) -> str:
    """A part of a whole in per cent, without the sign: 0.275 as 28."""
    return f"{100 * part:.{after_point}f}"


def text(value: Any, shown: Shown) -> str:
    return format(value, shown).replace("%", " %") if isinstance(shown, str) else shown(value)


def span(cases: Iterable[int]) -> str:
    """The least and the most of cases without a gap: `9 to 17`."""
    ordered = sorted(cases)
    assert ordered == list(range(ordered[0], ordered[-1] + 1)), f"there is a gap in {ordered}"
    return f"{ordered[0]} to {ordered[-1]}"


def _titles(keys: Any) -> Mapping[Any, str]:
    return keys if isinstance(keys, Mapping) else named(keys)


def _ranges(claims: list[dict[str, Any]], part: str) -> str:
    """The numbers of the claims that the part checks: `05 to 08, **09**, 10`."""
    groups: list[list[tuple[int, bool]]] = []
    for claim in (claim for claim in claims if part in claim["results"]):
        number, fails = int(claim["id"].rpartition("-")[2]), claim["verdict"] == "fails"
        if groups and groups[-1][-1] == (number - 1, False) and not fails:
            groups[-1].append((number, fails))
        else:
            groups.append([(number, fails)])
    return ", ".join(_range(group) for group in groups)


def _range(group: list[tuple[int, bool]]) -> str:
    (first, fails), (last, _) = group[0], group[-1]
    if fails:
        return f"**{first:02}**"
    if len(group) == 2:
        return f"{first:02}, {last:02}"
    return f"{first:02}" if first == last else f"{first:02} to {last:02}"
