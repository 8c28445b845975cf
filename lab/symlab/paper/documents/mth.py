# SPDX-License-Identifier: MIT
"""What the page on Steckermeier & Bellosa (1995) quotes: its claims with verdicts."""

from pathlib import Path

from symlab.paper.documents.claim_table import claim_numbers, claim_table
from symlab.paper.documents.data import Data

PAPER = "MTH"
FOLDER = Path("docs/papers/steckermeier-bellosa-1995")


def tables(data: Data) -> dict[str, list[str]]:
    return {"claims": claim_table(data, PAPER)}


def numbers(data: Data) -> dict[str, str]:
    return claim_numbers(data, PAPER)
