# SPDX-License-Identifier: MIT
"""The page of a paper's results: its figures, and the table of its claims. Markdown."""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from symlab.figure import shown
from symlab.paper import Paper, Part

if TYPE_CHECKING:
    from symlab.gather import Judged


def page(paper: Paper, parts: list[Part], judged: "list[Judged]", folder: Path) -> str:
    """The whole page, to lie in the folder above the paper's; ends with a line feed."""
    states = Counter(j.verdict.state for j in judged)
    counts = ", ".join(f"{states[state]} {state}" for state in ("holds", "fails", "not run"))
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
        "## Figures",
        "",
        *(line for part in parts for line in _figure(paper, part)),
    ]
    return "\n".join(lines)


def _claims(judged: "list[Judged]") -> list[str]:
    """Simulated: the value nearest to failing, or the furthest beyond; below it what it is of."""
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
