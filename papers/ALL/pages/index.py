# SPDX-License-Identifier: MIT
"""The pages about Anderson, Lazowska & Levy (1989), and what their overview quotes: all claims."""

import re
from collections.abc import Callable, Iterator
from operator import itemgetter
from typing import Any

from symlab.results.markdown import table
from symlab_papers.counts import WORDS, by_kind
from symlab_papers.documents.claim_table import claim_numbers
from symlab_papers.documents.data import Data
from symlab_papers.documents.pages import folder_of
from symlab_papers.markdown import measured

from . import queueing_model, spinning, thread_latency, thread_management

PAPER = "ALL"
PAGES = {
    "thread-management.md": thread_management,
    "thread-latency.md": thread_latency,
    "spinning.md": spinning,
    "queueing-model.md": queueing_model,
}

# Columns of the tables of claims. Why a claim is undecided, or what is missing if it was not run.
Columns = dict[str, Callable[[dict[Any, Any]], str]]  # title -> cell of a claim
OPEN: Columns = {
    "Verdict": itemgetter("verdict"),
    "Why": lambda claim: claim["cause"] or claim["of"],
}
HOLDS: Columns = {
    "Paper": itemgetter("paper"),
    "Simulated": lambda claim: measured(claim["simulated"], claim["of"]),
}


def tables(data: Data) -> dict[str, list[str]]:
    return {
        "kinds": by_kind([(c["id"], c["kind"], c["verdict"]) for c in data.claims(PAPER)]),
        "verdicts": _verdicts(data),
        "fails": _listed(data, ("fails",), {"Why it fails here": itemgetter("cause")}),
        "open": _listed(data, ("undecided", "not run"), OPEN),
        "holds": _listed(data, ("holds",), HOLDS),
    }


def numbers(data: Data) -> dict[str, str]:
    return claim_numbers(data, PAPER)


def _verdicts(data: Data) -> list[str]:
    rows = []
    for page, module in PAGES.items():
        states = [claim["verdict"] for claim in data.claims(PAPER) if _page(claim) == page]
        counts = (str(states.count(state)) for state in WORDS)
        title = _headings(page)[0].partition(":")[0]
        rows.append((f"[{title}]({page})", module.SECTIONS, str(len(states)), *counts))
    return table(("Page", "Sections of the paper", "Claims", *WORDS), rows)


def _listed(
    data: Data, verdicts: tuple[str, ...], columns: dict[str, Callable[[dict], str]]
) -> list[str]:
    """The claims with these verdicts. `columns`: title -> cell, of the columns on the right. The
    number of a claim that does not hold leads to its heading on a page."""
    anchors = {} if verdicts == ("holds",) else dict(_anchors())
    rows = [
        (
            f"[{c['id']}]({anchors[c['id']]})" if anchors else c["id"],
            str(c["where"]).removeprefix(f"{PAPER} "),
            c["statement"],
            *(cell(c) for cell in columns.values()),
        )
        for c in data.claims(PAPER)
        if c["verdict"] in verdicts
    ]
    return table(("Claim", "Where", "What the paper says", *columns), rows)


def _page(claim: dict) -> str:
    """The page that has the first sweep that checks the claim."""
    return next(page for page, module in PAGES.items() if claim["results"][0] in module.SWEEPS)


def _anchors() -> Iterator[tuple[str, str]]:
    """Each claim that a heading names, and the link to the heading."""
    for page in PAGES:
        for heading in _headings(page):
            anchor = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
            for claim in re.findall(rf"{PAPER}-\d+", heading):
                yield claim, f"{page}#{anchor}"


def _headings(page: str) -> list[str]:
    text = (folder_of(PAPER) / page).read_text(encoding="utf-8")
    return re.findall(r"^#+ (.*)$", text, re.MULTILINE)
