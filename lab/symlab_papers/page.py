# SPDX-License-Identifier: MIT
"""The page of a paper's results: claims, spread, sensitivity, figures. Markdown."""

from pathlib import Path
from typing import Any

import pandas as pd
from symlab.results.markdown import table

from symlab_papers.claim_files import claims_table
from symlab_papers.counts import by_kind, counted
from symlab_papers.judging import Judged
from symlab_papers.paper import Paper, Part
from symlab_papers.sensitivity import load_sensitivity
from symlab_papers.sensitivity_page import sensitivity
from symlab_papers.spread import FILE, REPEATS, load_spreads
from symlab_papers.versions import load_versions


def page(paper: Paper, parts: list[Part], judged: list[Judged], folder: Path) -> str:
    """The page as Markdown, which ends with a line feed. Its links are relative to `folder`, which
    has spread.csv and sensitivity.csv.
    """
    counts = counted(j.verdict.state for j in judged)
    command = f"symlab paper {paper.name}"
    made_by = load_versions(folder)
    lines = [
        f"# {paper.title}: every figure and claim, simulated",
        "",
        f"{paper.citation}",
        "",
        f"`{command}` runs every sweep of `papers/{paper.name}/figures/` at the paper's size and "
        f"writes this page. `{command} claims` writes it again from the CSVs of earlier runs. "
        f"{len(judged)} claims: {counts}. [`claims.json`](claims.json) has them in "
        "machine-readable form. The commit that made each table stands beside its figure, and in "
        f"[`versions.csv`](versions.csv).",
        "",
        "[Calibration](../../../docs/how-it-works/calibration.md) explains the machine's "
        "parameters. "
        "[The pages about the paper](../pages/index.md) explain the figures, and why claims fail.",
        "",
        "## Claims",
        "",
        "Claims to which the machine's parameters were fitted, or on which options were selected, "
        "say little about the simulator if they hold. A set-up says nothing: it is true by the "
        "configuration, by arithmetic, by an equation, or by what our program is written to do. "
        "All others are predictions.",
        "",
        *by_kind([(j.row.id, j.row.kind, j.verdict.state) for j in judged]),
        "",
        *_claims(judged),
        "",
        *_spreads(load_spreads(folder), paper),
        *sensitivity(load_sensitivity(folder), judged, parts, paper),
        "## Figures",
        "",
        *(line for part in parts for line in _figure(part, made_by.get(part.name))),
    ]
    return "\n".join(lines)


def _claims(judged: list[Judged]) -> list[str]:
    lines = [
        "A claim holds or fails narrowly if it does so by less than 5 % of its bound; set-ups meet "
        "theirs exactly. The list of claims, [`paper.toml`](../paper.toml), has for each bound its "
        "reason and its date. The column simulated has the value that decides: the one nearest to "
        "the bound of the check, or furthest beyond it. The text after the value says what it is. "
        "If a claim orders two values, it is the one that should be smaller divided by the other, "
        "or the lead of the one that should be larger.",
        "",
    ]
    return [*lines, *claims_table(judged, pages="../pages/")]


def _spreads(spreads: pd.DataFrame, paper: Paper) -> list[str]:
    """The section on spread: median and largest spread of each sweep and quantity."""
    if spreads.empty:
        return []
    lines = [
        "## Run-to-run spread",
        "",
        f"`symlab paper {paper.name} spread` repeats each point {REPEATS} times in short "
        "runs, with other seeds and other starts. Spread is half the distance from the least to "
        "the most, in % of the mean; an ordering above holds, or fails, only if it exceeds that of "
        "both points. "
        f"[All points]({FILE}).",
        "",
    ]
    rows: list[tuple[Any, ...]] = []
    for (sweep, quantity), found in spreads.groupby(["sweep", "quantity"], sort=False):
        largest: Any = found["part"].idxmax()
        worst = found.loc[largest]
        shown = (f"{100 * part:.2g}" for part in (found["part"].median(), worst["part"]))
        rows.append((sweep, quantity, str(len(found)), *shown, str(worst["point"])))
    head = ("sweep", "quantity", "points", "median, %", "largest, %", "at")
    return [*lines, *table(head, rows), ""]


def _figure(part: Part, commit: str | None) -> list[str]:
    return [
        f"### {part.title}",
        "",
        f"![{part.caption}]({part.name}.svg)",
        "",
        f"{part.caption} [Data]({part.name}.csv), [config](../figures/{part.name}.toml)"
        + (f". Made by commit {commit}" if commit else ""),
        "",
    ]
