# SPDX-License-Identifier: MIT
"""What the page on Wisniewski, Kontothanassis & Scott (1993) quotes: its claims with verdicts."""

from pathlib import Path

from symlab.paper.counts import counted
from symlab.paper.documents.data import Data
from symlab.paper.markdown import measured, state_cell, table

PAPER = "WKS"
FOLDER = Path("docs/papers/wisniewski-kontothanassis-scott-1993")


def tables(data: Data) -> dict[str, list[str]]:
    return {"claims": _claims(data)}


def numbers(data: Data) -> dict[str, str]:
    claims = data.claims(PAPER)
    return {
        "claims": str(len(claims)),
        "counts": counted(claim["verdict"] for claim in claims),
    }


def _claims(data: Data) -> list[str]:
    rows = [
        (
            c["id"], str(c["where"]).removeprefix(f"{PAPER} "), c["statement"], c["paper"],
            measured(c["simulated"], c["of"]), state_cell(c["verdict"]),
        )
        for c in data.claims(PAPER)
    ]  # fmt: skip
    return table(("Claim", "Where", "What the paper says", "Paper", "Simulated", "Verdict"), rows)
