# SPDX-License-Identifier: MIT
"""Writes judged claims as JSON and as a Markdown table."""

import json
from collections.abc import Iterable, Mapping

from symlab.plot.figure import Verdict
from symlab.results.markdown import table

from symlab_papers.counts import measured, state_cell
from symlab_papers.judging import Judged
from symlab_papers.paper import find_paper


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
