# SPDX-License-Identifier: MIT
"""Judges every claim of a paper on the CSVs of its sweeps; writes them as JSON and as a table."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pandas as pd
from symlab.errors import UserError
from symlab.plot.figure import Verdict
from symlab.results.loading import read_runs
from symlab.results.markdown import table

from symlab_papers.claims import Claim
from symlab_papers.counts import SET_UP, measured, state_cell
from symlab_papers.kept_rows import SPREADS
from symlab_papers.paper import Paper, Part, find_paper
from symlab_papers.rows import Row
from symlab_papers.spread import widened

NARROW = 0.05


@dataclass(frozen=True)
class Judged:
    """A claim of the paper with its verdict. `verdict`: the decisive one of all checks. `checks`:
    statements of all checks. `parts`: names of the parts whose figures make these checks."""

    row: Row
    verdict: Verdict
    checks: tuple[str, ...]
    parts: tuple[str, ...]

    @property
    def cause(self) -> str:
        """Why the claim fails or is undecided; empty if it is neither."""
        return self.row.cause if self.verdict.state in ("fails", "undecided") else ""

    @property
    def narrow(self) -> bool:
        """Whether the claim holds or fails by less than a part NARROW of its bound. Set-ups meet
        theirs exactly."""
        v = self.verdict
        if self.row.kind == SET_UP or v.state not in ("holds", "fails") or not v.bound:
            return False
        return v.margin is not None and bool(abs(v.margin) < NARROW * abs(v.bound))

    def entry(self) -> dict[str, object]:
        """The claim's entry in a claims.json (docs/papers/reproduce.md)."""
        v = self.verdict
        return {
            "id": self.row.id,
            "where": f"{self.row.id.partition('-')[0]} {self.row.where}",
            "statement": self.row.statement,
            "kind": self.row.kind,
            "check": "; ".join(self.checks),
            "simulated": v.value,
            "of": v.note,
            "bound": v.bound,
            "margin": v.margin,
            "narrow": self.narrow,
            "why": self.row.why,
            "since": self.row.since.isoformat(),
            "paper": self.row.paper,
            "verdict": v.state,
            "cause": self.cause,
            "results": list(self.parts),
        }


def judge(paper: Paper, parts: list[Part], folder: Path) -> list[Judged]:
    """Judges every claim of the paper on the CSVs of `parts` in `folder`.

    A claim that no part checks gets the verdict "not run". Orderings must exceed the run-to-run
    spread in spread.csv of `folder`. Raises UserError if a CSV cannot be read, or if a figure
    judges a claim that the paper does not list.
    """
    found: dict[str, list[tuple[str, Verdict]]] = {row.id: [] for row in paper.rows}
    spreads = SPREADS.load(folder)
    known = {part.name: part for part in parts}

    def data_of(part: Part) -> pd.DataFrame:
        return widened(part, part.figure.series(read_runs(folder, part.name)), spreads)

    for part in parts:
        data, beside = data_of(part), part.figure.beside
        if beside and beside.sweep in known:
            data = beside.joined(data, data_of(known[beside.sweep]))
        for verdict in part.figure.judge_data(data):
            if verdict.id not in found:
                raise UserError(
                    f"{part.name} judges {verdict.id}, which {paper.name} has no row of"
                )
            found[verdict.id].append((part.name, verdict))
    judged = []
    for row in paper.rows:
        claim, verdicts = Claim(row.id, ""), [verdict for _, verdict in found[row.id]]
        missing = claim.not_run("the sweep that checks it")
        decides = claim.all_of(*verdicts) if verdicts else missing
        checks = tuple(dict.fromkeys(verdict.check for verdict in verdicts))
        judged.append(Judged(row, decides, checks, tuple(name for name, _ in found[row.id])))
    return judged


def claim_files(verdicts: list[Verdict], name: str) -> dict[str, bytes]:
    """<name>-claims.json and .md of a sweep. Raises UserError if no paper has one of the claims."""
    rows = {row.id: row for v in verdicts for row in find_paper(v.id.partition("-")[0]).rows}
    judged = [Judged(rows[v.id], v, (v.check,), (name,)) for v in verdicts]
    lines = claims_table(judged)
    return {
        f"{name}-claims.json": claims_json(judged, {}),
        f"{name}-claims.md": ("\n".join(lines) + "\n").encode(),
    }


def claims_json(judged: Iterable[Judged], more: Mapping[str, object]) -> bytes:
    """The document with the claims; `more`: its entries before the claims."""
    document = {"schema_version": 1, **more, "claims": [j.entry() for j in judged]}
    return (json.dumps(document, indent=1, ensure_ascii=False) + "\n").encode()


def claims_table(judged: Iterable[Judged], pages: str = "") -> list[str]:
    """The lines of a Markdown table, a row per claim. `pages`: where links to causes lead, if any.
    What is asked first is on the left, where a narrow window shows it. Column simulated: the value
    that decides, and what it is of."""
    head = (
        "claim", "verdict", "statement", "cause", "simulated", "paper", "check", "where", "kind",
    )  # fmt: skip
    return table(head, (_cells(j, pages) for j in judged))


def _cells(j: Judged, pages: str) -> tuple[str, ...]:
    v, row = j.verdict, j.row
    more = f" [More]({pages}{row.page})" if j.cause and pages else ""
    first = row.id, state_cell(v.state, j.narrow), row.statement, j.cause + more
    return *first, measured(v.value, v.note), row.paper, "; ".join(j.checks), row.where, row.kind
