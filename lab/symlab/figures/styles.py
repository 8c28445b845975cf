# SPDX-License-Identifier: MIT
"""Colour and line belong to the alternative: the same lock looks the same in every figure."""

import zlib
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Style:
    """How one alternative is drawn. Lines differ too: figures get printed without colour."""

    label: str
    colour: str
    line: str
    marker: str

    @property
    def keywords(self) -> dict[str, Any]:
        return {
            "label": self.label,
            "color": self.colour,
            "linestyle": self.line,
            "marker": self.marker,
            "markersize": 4,
        }


# Colours of Okabe and Ito, which remain distinct to colour-blind readers.
LOCKS = {
    "xchgb": Style("spin on xchgb", "#D55E00", "-", "o"),
    "read": Style("spin on read", "#0072B2", "--", "s"),
    "backoff": Style("backoff after release", "#009E73", "-.", "^"),
    "backoff-every": Style("backoff after every read", "#CC79A7", ":", "v"),
}

_SPARE_COLOURS = ("#E69F00", "#56B4E9", "#000000", "#F0E442")
_SPARE_LINES = ("-", "--", "-.", ":")


def style_of(alternative: str) -> Style:
    """The alternative's own style; of an unknown one a style that depends on its name only."""
    if alternative in LOCKS:
        return LOCKS[alternative]
    number = zlib.crc32(alternative.encode())
    colour = _SPARE_COLOURS[number % len(_SPARE_COLOURS)]
    return Style(alternative, colour, _SPARE_LINES[number // 4 % len(_SPARE_LINES)], "x")
