# SPDX-License-Identifier: MIT
"""Colours and line styles by alternative, so that a lock looks the same in every figure."""

import functools
import zlib
from collections import Counter
from collections.abc import Iterable
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
        look = {"color": self.colour, "linestyle": self.line, "marker": self.marker}
        return {"label": self.label, **look, "markersize": 4}


# The colours of Okabe and Ito, which are distinct for colour-blind readers. Variants of one lock
# share a colour and differ in line style or marker.
LOCKS = {
    "xchgb": Style("TAS (xchgb)", "#D55E00", "-", "o"),
    "xchgb-backoff": Style("TAS with backoff", "#D55E00", "--", "^"),
    "read": Style("TTAS (read)", "#0072B2", "--", "s"),
    "backoff": Style("backoff after release", "#009E73", "-.", "^"),
    "backoff-capped": Style("backoff, at most a section", "#E69F00", "-", "D"),
    "backoff-every": Style("backoff after every read", "#CC79A7", ":", "v"),
    "backoff-slots": Style("backoff after release, 1 us slots", "#009E73", "-", "<"),
    "backoff-slots-every": Style("backoff after every read, 1 us slots", "#CC79A7", "-", ">"),
    "static-1": Style("static delay after release, 1 slot", "#882255", "-", "1"),
    "static-4": Style("static delay after release, 4 slots", "#882255", "--", "2"),
    "static-16": Style("static delay after release, 16 slots", "#882255", "-.", "3"),
    "static-64": Style("static delay after release, 64 slots", "#882255", ":", "4"),
    "static-every-1": Style("static delay after every read, 1 slot", "#56B4E9", "-", "1"),
    "static-every-4": Style("static delay after every read, 4 slots", "#56B4E9", "--", "2"),
    "static-every-16": Style("static delay after every read, 16 slots", "#56B4E9", "-.", "3"),
    "static-every-64": Style("static delay after every read, 64 slots", "#56B4E9", ":", "4"),
    "ticket": Style("ticket, proportional backoff", "#0072B2", "-", "D"),
    "ticket-plain": Style("ticket", "#0072B2", ":", "d"),
    "ticket-xadd": Style("ticket with xadd", "#0072B2", "-.", "H"),
    "array": Style("array queue", "#000000", "-", "P"),
    "array-xadd": Style("array queue with xadd", "#000000", "--", "X"),
    "graunke-thakkar": Style("Graunke-Thakkar", "#D55E00", "-.", "h"),
    "clh": Style("CLH", "#009E73", ":", "p"),
    "mcs": Style("MCS, exchange only", "#CC79A7", "--", "*"),
    "mcs-cas": Style("MCS with compare-and-swap", "#CC79A7", "-.", "+"),
}

# The locks of Wisniewski, Kontothanassis & Scott (1993), by the paper's names, but TTAS
# for its TAS; n: no preemption in the section.
OF_PROCESSES = {
    "TTAS": Style("TTAS", "#D55E00", "-", "o"),
    "TTASn": Style("TTASn", "#D55E00", "--", "s"),
    "Q": Style("Q", "#0072B2", "-", "o"),
    "Qn": Style("Qn", "#0072B2", "--", "s"),
    "QH": Style("QH", "#009E73", "-.", "^"),
    "SQ": Style("SQ", "#000000", "-", "P"),
    "NAT": Style("NAT", "#E69F00", "-", "o"),
    "NATn": Style("NATn", "#E69F00", "--", "s"),
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

STYLES = LOCKS | OF_PROCESSES | BARRIERS | STRATEGIES

_COLOURS = (
    "#E69F00", "#56B4E9", "#000000", "#882255", "#D55E00", "#0072B2", "#009E73", "#CC79A7",
)  # fmt: skip
_SPARE = 4  # the first colours, which few of the styles above have
_LINES = ("-", "--", "-.", ":")
_MARKERS = ("o", "s", "^", "v", "D", "h")  # no cross, which marks a failed run
_LOOKS = [(m, line, colour) for m in _MARKERS for line in _LINES for colour in _COLOURS]


def style_of(alternative: str) -> Style:
    """The style of an alternative. One of guest/ that has none above gets the next free style; the
    style of any other depends only on its name. The curves of one figure get theirs from
    `styles_of`."""
    if alternative in STYLES:
        return STYLES[alternative]
    if alternative in _of_new():
        return _of_new()[alternative]
    rest, colour = divmod(zlib.crc32(alternative.encode()), _SPARE)
    rest, line = divmod(rest, len(_LINES))
    marker = _MARKERS[rest % len(_MARKERS)]
    return Style(alternative, _COLOURS[colour], _LINES[line], marker)


def styles_of(names: Iterable[str]) -> dict[str, Style]:
    """The style of each curve in a figure with these: no two have the same colour and line.

    Known alternatives keep theirs. Any other keeps that of `style_of` if no curve before it has the
    colour, else it gets the colour that the fewest have. With more than 32 curves they differ at
    least in the marker.
    """
    curves = list(dict.fromkeys(names))
    others = [name for name in curves if name not in STYLES]
    found: dict[str, Style] = {}
    taken: Counter[tuple[str, ...]] = Counter()
    for name in [*(name for name in curves if name in STYLES), *others]:
        style = style_of(name)
        if name in others and taken[(style.colour,)]:
            marker, line, colour = min(_LOOKS, key=lambda look: _used(look, taken))
            style = Style(name, colour, line, marker)
        taken.update(_parts((style.marker, style.line, style.colour)))
        found[name] = style
    return {name: found[name] for name in curves}


def _parts(look: tuple[str, str, str]) -> list[tuple[str, ...]]:
    """What two looks can have in common; what is most easily seen is first."""
    marker, line, colour = look
    return [(colour,), (line, colour), look, (line,), (marker,)]


def _used(look: tuple[str, str, str], taken: Counter[tuple[str, ...]]) -> list[int]:
    """How many curves share each part of the look."""
    return [taken[part] for part in _parts(look)]


@functools.cache
def _of_new() -> dict[str, Style]:
    """The styles of the locks, barriers and strategies of guest/ that STYLES has not, by name.
    First come pairs of colour and line that no style above has."""
    items = (item for kind in catalogue.HEADERS for item in catalogue.items(kind))
    names = [item.name for item in items if not item.special]
    used = {(style.marker, style.line, style.colour) for style in STYLES.values()}
    pairs = {look[1:] for look in used}
    free = [look for look in _LOOKS if look not in used]
    free.sort(key=lambda look: look[1:] in pairs)  # stable
    new = [name for name in names if name not in STYLES]
    return {
        name: Style(name, colour, line, marker)
        for name, (marker, line, colour) in zip(new, free, strict=False)
    }
