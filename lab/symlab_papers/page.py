# SPDX-License-Identifier: MIT
"""The page of a paper's results: claims, spread, sensitivity, figures. Markdown."""

from pathlib import Path
from typing import Any

from symlab_papers.claim_files import claims_table
from symlab_papers.counts import by_kind, counted
from symlab_papers.judging import Judged
from symlab_papers.pages import environment
from symlab_papers.paper import Paper, Part
from symlab_papers.sensitivity import headlines, load_sensitivity
from symlab_papers.sensitivity_page import rests, values
from symlab_papers.spread import REPEATS, load_spreads
from symlab_papers.versions import load_versions

TEMPLATES = Path(__file__).parent / "templates"


def page(paper: Paper, parts: list[Part], judged: list[Judged], folder: Path) -> str:
    """The page as Markdown, which ends with a line feed. Its links are relative to `folder`, which
    has spread.csv and sensitivity.csv.
    """
    found = load_sensitivity(folder)
    kinds = [(j.row.id, j.row.kind, j.verdict.state) for j in judged]
    names: dict[str, Any] = {
        "paper": paper, "parts": parts, "judged": judged, "counted": counted, "repeats": REPEATS,
        "kinds": "\n".join(by_kind(kinds)), "commits": load_versions(folder),
        "claims": "\n".join(claims_table(judged, pages="../pages/")),
        "spreads": load_spreads(folder), "found": found,
    }  # fmt: skip
    if found is not None:
        names["rests"] = "\n".join(rests(found))
        names["values"] = ["\n".join(values(found, of)) for of in headlines(paper, parts)]
    return environment(TEMPLATES).get_template("results.md.j2").render(names)
