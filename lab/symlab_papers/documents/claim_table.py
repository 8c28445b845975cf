# SPDX-License-Identifier: MIT
"""What the page of a paper quotes of its claims: a table of all, and their counts."""

from symlab.results.markdown import table

from symlab_papers.counts import PREDICTION, counted
from symlab_papers.documents.data import Data
from symlab_papers.markdown import measured, state_cell


def claim_table(data: Data, paper: str) -> list[str]:
    """All claims of the paper with their verdicts."""
    rows = [
        (
            c["id"], str(c["where"]).removeprefix(f"{paper} "), c["statement"], c["paper"],
            measured(c["simulated"], c["of"]), state_cell(c["verdict"], c["narrow"]),
        )
        for c in data.claims(paper)
    ]  # fmt: skip
    return table(("Claim", "Where", "What the paper says", "Paper", "Simulated", "Verdict"), rows)


def claim_numbers(data: Data, paper: str) -> dict[str, str]:
    """How many claims there are, and how many hold, fail and so on: all, and of the predictions."""
    claims = data.claims(paper)
    return {
        "claims": str(len(claims)),
        "counts": counted(claim["verdict"] for claim in claims),
        "predictions": counted(c["verdict"] for c in claims if c["kind"] == PREDICTION),
    }
