# SPDX-License-Identifier: MIT
"""Colours and line styles by alternative, so that a lock looks the same in every figure."""

import functools
import itertools
import zlib
from dataclasses import dataclass
from typing import Any

from symlab.guest import catalogue


@dataclass(frozen=True)
class Style:
    """How one alternative is drawn. Line styles differ too, for figures printed without colour."""

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


# The colours of Okabe and Ito, which are distinct for colour-blind readers. Variants of one lock
# share a colour and differ in line style or marker.
LOCKS = {
    "xchgb": Style("TAS (xchgb)", "#D55E00", "-", "o"),
    "xchgb-backoff": Style("TAS with backoff", "#D55E00", "--", "^"),
    "read": Style("TTAS (read)", "#0072B2", "--", "s"),
    "backoff": Style("backoff after release", "#009E73", "-.", "^"),
    "backoff-capped": Style("backoff, at most a section", "#E69F00", "-", "D"),
    "backoff-every": Style("backoff after every read", "#CC79A7", ":", "v"),
    "backoff-slots": Style("backoff after release, 1 µs slots", "#009E73", "-", "<"),
    "backoff-slots-every": Style("backoff after every read, 1 µs slots", "#CC79A7", "-", ">"),
    "static-1": Style("static delay after release, 1 slot", "#E69F00", "-", "1"),
    "static-4": Style("static delay after release, 4 slots", "#E69F00", "--", "2"),
    "static-16": Style("static delay after release, 16 slots", "#E69F00", "-.", "3"),
    "static-64": Style("static delay after release, 64 slots", "#E69F00", ":", "4"),
    "static-every-1": Style("static delay after every read, 1 slot", "#56B4E9", "-", "1"),
    "static-every-4": Style("static delay after every read, 4 slots", "#56B4E9", "--", "2"),
    "static-every-16": Style("static delay after every read, 16 slots", "#56B4E9", "-.", "3"),
    "static-every-64": Style("static delay after every read, 64 slots", "#56B4E9", ":", "4"),
    "ticket": Style("ticket, proportional backoff", "#0072B2", "-", "D"),
    "ticket-plain": Style("ticket", "#0072B2", ":", "d"),
    "ticket-xadd": Style("ticket with xadd", "#0072B2", "-.", "x"),
    "array": Style("array queue", "#000000", "-", "P"),
    "array-xadd": Style("array queue with xadd", "#000000", "--", "X"),
    "graunke-thakkar": Style("Graunke-Thakkar", "#D55E00", "-.", "h"),
    "clh": Style("CLH", "#009E73", ":", "p"),
    "mcs": Style("MCS, exchange only", "#CC79A7", "--", "*"),
    "mcs-cas": Style("MCS with compare-and-swap", "#CC79A7", "-.", "+"),
}

BARRIERS = {
    "counter": Style("counter", "#D55E00", "-", "o"),
    "combining": Style("combining tree", "#0072B2", "--", "s"),
    "arrival-tree": Style("arrival tree, central flag", "#000000", "-", "P"),
    "tournament": Style("tournament", "#009E73", "-.", "^"),
    "dissemination": Style("dissemination", "#CC79A7", ":", "v"),
    "mcs-tree": Style("MCS tree", "#E69F00", "--", "*"),
}

# The two kinds of local ready queues share a colour, and so do the mixtures of strategies.
STRATEGIES = {
    "single-lock": Style("single lock", "#D55E00", "-", "o"),
    "multiple-locks": Style("multiple locks", "#0072B2", "--", "s"),
    "local-freelist": Style("local free lists", "#009E73", "-.", "^"),
    "idle-queue": Style("idle queue", "#CC79A7", ":", "v"),
    "local-readyq-random": Style("local ready queues", "#000000", "-", "P"),
    "local-readyq": Style("own ready queue", "#000000", "--", "X"),
    "local-when-busy": Style("local when busy", "#E69F00", "--", "D"),
    "random-probe": Style("random probe", "#E69F00", ":", "*"),
}

STYLES = LOCKS | BARRIERS | STRATEGIES

_SPARE_COLOURS = ("#E69F00", "#56B4E9", "#000000", "#882255")
_SPARE_LINES = ("-", "--", "-.", ":")
_SPARE_MARKERS = ("o", "s", "^", "v", "D")


def style_of(alternative: str) -> Style:
    """The style of an alternative. One of guest/ that has none above gets the next free style; the
    style of any other depends only on its name."""
    if alternative in STYLES:
        return STYLES[alternative]
    if alternative in _of_new():
        return _of_new()[alternative]
    number = zlib.crc32(alternative.encode())
    colour = _SPARE_COLOURS[number % len(_SPARE_COLOURS)]
    return Style(alternative, colour, _SPARE_LINES[number // 4 % len(_SPARE_LINES)], "x")


@functools.cache
def _of_new() -> dict[str, Style]:
    """The styles of the locks, barriers and strategies of guest/ that STYLES has not, by name."""
    kinds = (catalogue.locks(), catalogue.barriers(), catalogue.strategies())
    names = [item.name for items in kinds for item in items if not item.special]
    used = {(style.colour, style.line, style.marker) for style in STYLES.values()}
    looks = itertools.product(_SPARE_MARKERS, _SPARE_LINES, _SPARE_COLOURS)
    free = (look for look in looks if (look[2], look[1], look[0]) not in used)
    new = [name for name in names if name not in STYLES]
    return {
        name: Style(name, colour, line, marker)
        for name, (marker, line, colour) in zip(new, free, strict=False)
    }
