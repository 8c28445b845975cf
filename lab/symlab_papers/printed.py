# SPDX-License-Identifier: MIT
"""Numbers that a paper prints in its text, drawn into the figures that they belong to.

They stand with the claims in papers/<name>/paper.toml, under `printed`. The papers' curves
are not available, so these numbers are all that a simulated curve can be compared with.
"""

from functools import cache

from symlab.places import PAPERS
from symlab.plot.marks import Printed

from symlab_papers.rows import Row, rows


def printed(figure: str) -> tuple[Printed, ...]:
    """The numbers for the figure of this name."""
    return tuple(one for one in all_printed() if one.figure == figure)


@cache
def all_printed() -> tuple[Printed, ...]:
    """The numbers of all papers."""
    papers = sorted(file.parent.name for file in PAPERS.glob("*/paper.toml"))
    return tuple(of for paper in papers for row in rows(paper).values() for of in _of(row))


def _of(row: Row) -> list[Printed]:
    """The numbers of a claim. Their place is that of the claim unless they have one."""
    return [
        Printed(**({"where": row.where} | dict(one) | {"x": tuple(one.get("x", ()))}))
        for one in row.printed
    ]
