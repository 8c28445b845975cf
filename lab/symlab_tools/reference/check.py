# SPDX-License-Identifier: MIT
"""What docs/how-to/check.md quotes of the tables of `make check-tree` and `make mutants`."""

from statistics import median
from typing import Any

from symlab.errors import UserError
from symlab.places import ROOT
from symlab.results.columns import texts
from symlab.results.csv_file import read_csv
from symlab.results.markdown import table

from symlab_tools.markers import filled

PAGE = "docs/how-to/check.md"
RESULTS = ROOT / "results/check"
TYPES = texts("kind", "name", "found", "violation", "stress")
KINDS = ("locks", "barriers", "strategies", "programs")


def check_page() -> str:
    """The page with today's tables. Raises UserError for a malformed marker or a missing page."""
    if not (ROOT / PAGE).is_file():
        raise UserError(f"{ROOT / PAGE}: no such page; run it in the tree of symsim, with docs/")
    text = (ROOT / PAGE).read_text(encoding="utf-8")
    return filled(text, {"mutants": _mutants(), "checked": _checked()}, {}, PAGE)


def _rows(name: str) -> list[dict[Any, Any]]:
    """The rows of a table. Raises UserError."""
    return read_csv(RESULTS / f"{name}.csv", TYPES).to_dict("records")


def _mutants() -> list[str]:
    """A row for each kind: how many bugs are found, after how many schedules, and by stress."""
    rows = _rows("mutants")
    lines = []
    for kind in (*KINDS, "all"):
        mine = [row for row in rows if kind in (row["kind"], "all")]
        found = [row for row in mine if row["found"]]
        schedules = [row["schedules"] for row in found]
        lines.append(
            [
                kind,
                str(len(mine)),
                str(len(found)),
                f"{median(schedules):g}",
                f"{max(schedules):,}",
                str(sum(row["undisturbed"] for row in found)),
                str(sum(row["stress"] is not None for row in found)),
            ]
        )
    titles = (
        "Mutants of", "number", "found", "schedules, median", "most",
        "seen without holds", "found by stress of the same length",
    )  # fmt: skip
    return table(titles, lines)


def _checked() -> list[str]:
    """A row for each table of the tree."""
    lines = []
    for name in ("locks", "locks-3", "barriers", "strategies"):
        rows = _rows(name)
        schedules = [row["schedules"] for row in rows]
        lines.append(
            [
                f"{len(rows)} {rows[0]['kind']}s".replace("ys", "ies"),
                str(rows[0]["processors"]),
                str(rows[0]["preemptions"]),
                f"{min(schedules):,} to {max(schedules):,}",
                str(sum(row["complete"] for row in rows)),
                str(sum(row["violation"] is not None for row in rows)),
            ]
        )
    titles = ("What", "processors", "preemptions", "schedules of each", "complete", "broken")
    return table(titles, lines)
