# SPDX-License-Identifier: MIT
"""Numbers that a paper prints in its text, drawn into the figures that they belong to.

They stand with the claims in papers/<name>/paper.toml, under `printed`. The papers' curves
are not available, so these numbers are all that a simulated curve can be compared with.
"""

import tomllib
from functools import cache
from typing import Any

from symlab.places import PAPERS
from symlab.plot.printed import Printed


def printed(figure: str) -> tuple[Printed, ...]:
    """The numbers for the figure of this name."""
    return tuple(one for one in all_printed() if one.figure == figure)


@cache
def all_printed() -> tuple[Printed, ...]:
    """The numbers of all papers."""
    files = sorted(PAPERS.glob("*/paper.toml"))
    claims = [tomllib.loads(file.read_text(encoding="utf-8"))["claims"] for file in files]
    return tuple(of for each in claims for claim in each.values() for of in _of(claim))


def _of(claim: dict[str, Any]) -> list[Printed]:
    """The numbers of a claim. Their place is that of the claim unless they have one."""
    return [
        Printed(**({"where": claim["where"]} | one | {"x": tuple(one.get("x", ()))}))
        for one in claim.get("printed", [])
    ]
