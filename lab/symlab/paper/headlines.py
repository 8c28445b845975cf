# SPDX-License-Identifier: MIT
"""The main conclusions of a paper, and the short sweeps that suffice to judge them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from symlab.paper.figure import Figure
from symlab.paper.paper import Paper, Part

LOCK = "guest.args.lock"
BACKOFF = "backoff"


@dataclass(frozen=True)
class Headline:
    """A part of a paper with main conclusions. `figure`: the part's figure with only their claims.

    `ids`: the claims. The part's config has a table `[sweep.sensitivity]`.
    """

    part: Part
    figure: Figure
    ids: tuple[str, ...]

    @property
    def name(self) -> str:
        return self.part.name

    @property
    def size(self) -> Mapping[str, Any]:
        """Overrides that make the sweep short: the reduced size, changed by that table."""
        return {**self.part.size("reduced"), **self.part.size("sensitivity")}

    @property
    def delays(self) -> Mapping[str, Any] | None:
        """Further overrides, `[sweep.delays]`, for a sweep over backoff locks with other delays.

        None if the part has no lock contention.
        """
        return self.part.file.sizes.get("delays")

    @property
    def rivals(self) -> Sequence[str]:
        """The locks that backoff is compared with: the value of LOCK in `delays`."""
        return (self.delays or {}).get(LOCK, [])


def headlines(paper: Paper, parts: list[Part]) -> list[Headline]:
    """Those of `parts` that have main conclusions of `paper`."""
    found = []
    for part in parts:
        claims = [claim for claim in part.figure.claims if claim.id in paper.headlines]
        if claims and "sensitivity" in part.file.sizes:
            figure = replace(part.figure, claims=tuple(claims))
            found.append(Headline(part, figure, tuple(claim.id for claim in claims)))
    return found
