# SPDX-License-Identifier: MIT
"""The page of a paper's results: claims, spread, sensitivity, figures. Markdown."""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pandas as pd

from symlab.figure import shown
from symlab.judging import Judged
from symlab.paper import Paper, Part
from symlab.sensitivity import FILE as SENSITIVITY_FILE
from symlab.sensitivity import changed, load_sensitivity
from symlab.spread import FILE as SPREAD_FILE
from symlab.spread import REPEATS, load_spreads


def page(paper: Paper, parts: list[Part], judged: list[Judged], folder: Path) -> str:
    """The whole page, to lie in the folder above the paper's; ends with a line feed."""
    states = Counter(j.verdict.state for j in judged)
    words = {"holds": "hold", "fails": "fail", "not run": "were not run"}
    counts = ", ".join(f"{states[s]} {word}" for s, word in words.items() if states[s])
    command = f"symlab reproduce {paper.name}"
    lines = [
        f"# {paper.name}, simulated",
        "",
        f"{paper.citation}",
        "",
        f"`{command}` runs every sweep of `configs/figures/{paper.name}/` at the paper's own size "
        f"and writes this page; `{command} --gather` writes it again from the CSVs beside it. "
        f"{len(judged)} claims: {counts}. [`claims.json`]({paper.name}/claims.json) has them for "
        "programs.",
        "",
        "Machine and parameters: [calibration](../docs/calibration.md). What the figures show, and "
        "why claims fail: [threads](../docs/thread-management.md), "
        "[latency](../docs/thread-latency.md), [spinning](../docs/spinning.md), "
        "[queueing model](../docs/queueing-model.md).",
        "",
        "## Claims",
        "",
        *_claims(judged),
        "",
        *_spreads(load_spreads(folder), paper),
        *_sensitivity(load_sensitivity(folder), judged, paper),
        "## Figures",
        "",
        *(line for part in parts for line in _figure(paper, part)),
    ]
    return "\n".join(lines)


def _claims(judged: list[Judged]) -> list[str]:
    lines = [
        "Simulated is the value that decides, nearest to the check's bound or furthest beyond it, "
        "and what it is of; in an ordering the less over the more, which must be under 1.",
        "",
    ]
    head = ("claim", "where", "statement", "check", "simulated", "paper", "verdict", "cause")
    lines += table(head, (_row(j) for j in judged))
    return lines


def _row(j: "Judged") -> tuple[str, ...]:
    v = j.verdict
    value = ": ".join(text for text in (shown(v.value), v.note) if text)
    where = v.source.removeprefix("ALL ")
    cause = f"{j.cause} [More](../docs/{j.row.page})" if j.cause else ""
    verdict = f"**{v.state}**" if v.state == "fails" else v.state
    return j.row.id, where, j.row.statement, "; ".join(j.checks), value, j.row.paper, verdict, cause


def _spreads(spreads: pd.DataFrame, paper: Paper) -> list[str]:
    """By sweep and quantity: the median and the largest spread, and where that is."""
    if spreads.empty:
        return []
    lines = [
        "## Run-to-run spread",
        "",
        f"`symlab reproduce {paper.name} --spread` repeats each point {REPEATS} times in short "
        "runs, with other seeds and other starts. Spread is half the distance from the least to "
        "the most, in % of the mean; an ordering above holds only if it exceeds that of both "
        "points. "
        f"[All points]({paper.name}/{SPREAD_FILE}).",
        "",
    ]
    rows = []
    for (sweep, quantity), found in spreads.groupby(["sweep", "quantity"], sort=False):
        worst = found.loc[found["part"].idxmax()]
        shown = (f"{100 * part:.2g}" for part in (found["part"].median(), worst["part"]))
        rows.append((sweep, quantity, str(len(found)), *shown, str(worst["point"])))
    head = ("sweep", "quantity", "points", "median, %", "largest, %", "at")
    return [*lines, *table(head, rows), ""]


def _sensitivity(found: pd.DataFrame | None, judged: list[Judged], paper: Paper) -> list[str]:
    """Value by setting and claim, and in words which verdicts change."""
    if found is None:
        return []
    statements = {j.row.id: j.row.statement for j in judged}
    changes = changed(found)
    steady = [claim for claim, settings in changes.items() if not settings]
    lines = [
        "## Sensitivity",
        "",
        f"`symlab reproduce {paper.name} --sensitivity` judges the main conclusions in short runs "
        "on the machine as it is, and with one guess at a time changed over its range "
        f"([ranges](../configs/sensitivity/{paper.name}.toml), "
        f"[all numbers]({paper.name}/{SENSITIVITY_FILE})).",
        "",
        f"Rest on no single guess: {', '.join(steady)}. The others:",
        "",
        *(
            f"- {claim}, {statements[claim]}: changes with {'; '.join(settings)}."
            for claim, settings in changes.items()
            if settings
        ),
        "",
        "The value that decides, by setting; ✗ where the claim fails, bold where the verdict is "
        "not that of the machine as it is.",
        "",
    ]
    columns = list(changes)
    rows = []
    for (parameter, setting), cells in found.groupby(["parameter", "setting"], sort=False):
        by_claim = cells.set_index("claim")
        name = f"{parameter} = {setting}" if parameter else "the machine as it is"
        rows.append((name, *(_cell(by_claim, claim, changes, name) for claim in columns)))
    rows.sort(key=lambda row: row[0] != "the machine as it is")
    return [*lines, *table(("setting", *(c.removeprefix("ALL-") for c in columns)), rows), ""]


def _cell(by_claim: pd.DataFrame, claim: str, changes: dict[str, list[str]], name: str) -> str:
    if claim not in by_claim.index:
        return ""
    row = by_claim.loc[claim]
    mark = " ✗" if row["verdict"] == "fails" else ""
    value = shown(row["value"]) if pd.notna(row["value"]) else row["verdict"]
    return f"**{value}{mark}**" if name in changes[claim] else value + mark


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> list[str]:
    """A table's lines; a cell may hold any text."""
    lines = [_line(head), "|" + "---|" * len(list(head))]
    return lines + [_line(row) for row in rows]


def _line(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _figure(paper: Paper, part: Part) -> list[str]:
    file = f"{paper.name}/{part.name}"
    return [
        f"### {part.title}",
        "",
        f"![{part.caption}]({file}.svg)",
        "",
        f"{part.caption} [Data]({file}.csv), [config](../configs/figures/{file}.toml)",
        "",
    ]
