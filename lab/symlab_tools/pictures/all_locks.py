# SPDX-License-Identifier: MIT
"""All locks: time for each critical section by number of processors, one panel for each group."""

from math import log10

import pandas as pd
from symlab.errors import UserError
from symlab.places import ROOT
from symlab.results.loading import read_table

from symlab_tools.svg import Drawing

CSV = "results/locks/all-locks.csv"  # of configs/figures/locks/all-locks.toml

# The groups of the published picture, each lock in the colour of its place. A lock that is in none
# is drawn in a group of its own, OTHERS.
GROUPS = {
    "TAS and TTAS": ["xchgb", "read", "xchgb-backoff"],
    "TTAS with backoff": ["backoff-slots", "backoff-slots-every", "backoff", "backoff-every"],
    "Static delay after a release": ["static-1", "static-4", "static-16", "static-64"],
    "Static delay after every read": [
        "static-every-1", "static-every-4", "static-every-16", "static-every-64",
    ],
    "Ticket": ["ticket-plain", "ticket-xadd", "ticket"],
    "Array queue": ["array", "array-xadd", "graunke-thakkar"],
    "List queue": ["mcs", "mcs-cas", "clh"],
}  # fmt: skip
OTHERS = "Others"
LINES = ("red", "blue", "green", "purple")  # of the locks of a group, by number

UNFAIR = 0.1  # a processor with less than this part of its share
COLUMNS, GAP = 4, 30.0
LEFT, TOP, WIDTH, HEIGHT = 46.0, 104.0, 204.0, 200.0  # of the first panel's plot
FULL = LEFT + COLUMNS * WIDTH + (COLUMNS - 1) * GAP + 28
LEAST_US, MOST_US = 5.0, 500.0
MOST_PROCESSORS = 20
US_TICKS = (5, 10, 20, 50, 100, 200, 500)
PROCESSOR_TICKS = (1, 4, 8, 12, 16, 20)


def read() -> pd.DataFrame:
    """The sweep's table. Raises UserError if it is not there."""
    path = ROOT / CSV
    if not path.is_file():
        raise UserError(f"{path} is not there; `make pictures` writes it")
    return read_table(path)


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """Columns lock, processors, sections, us (of each) and unfair; by lock and processors."""
    share = runs["increments"] / runs["processors"]
    points = runs[["lock", "processors"]].assign(
        sections=runs["increments"],
        us=runs["elapsed_us"] / runs["increments"],
        unfair=runs["share_minimum"] < UNFAIR * share,
    )
    return points.sort_values(["lock", "processors"], ignore_index=True)


def groups(points: pd.DataFrame) -> dict[str, list[str]]:
    """The panels: title and locks. Locks of the table that GROUPS has not are in further ones."""
    known = [lock for locks in GROUPS.values() for lock in locks]
    others = sorted(set(points["lock"]) - set(known))
    each = len(LINES)
    parts = [others[first : first + each] for first in range(0, len(others), each)]
    titles = [OTHERS, *(f"{OTHERS}, {n}" for n in range(2, len(parts) + 1))]
    return GROUPS | dict(zip(titles, parts, strict=False))


def draw(points: pd.DataFrame) -> str:
    panels = groups(points)
    rows = -(-(len(panels) + 1) // COLUMNS)
    title = "All locks: time for each critical section"
    height = TOP + rows * HEIGHT + (rows - 1) * 72 + 56
    picture = Drawing(FULL, height, title, "; ".join(_ends(points)))
    about = "Counter of Anderson, Lazowska & Levy (1989), Figure 4.1; Model A"
    picture.heading(about, "us for each section (log scale) by number of processors")
    for number, (group, locks) in enumerate(panels.items()):
        _panel(picture, points, group, locks, *_corner(number))
    _key(picture, int(points["sections"].max()), *_corner(len(panels)))
    return picture.svg()


def _ends(points: pd.DataFrame) -> list[str]:
    """The time of each lock with most processors, in words."""
    last = points[points["processors"] == points["processors"].max()]
    rows = zip(last["lock"], last["processors"], last["us"], strict=True)
    return [f"{lock}, {processors} processors: {us:.1f} us" for lock, processors, us in rows]


def _corner(number: int) -> tuple[float, float]:
    row, column = divmod(number, COLUMNS)
    return LEFT + column * (WIDTH + GAP), TOP + row * (HEIGHT + 72)


def _panel(
    picture: Drawing, points: pd.DataFrame, group: str, locks: list[str], left: float, top: float
) -> None:
    picture.text(left, top - 12, group, bold=True)
    for us in US_TICKS:
        y = top + _height_of(us)
        picture.line([(left, y), (left + WIDTH, y)], "rule")
        if left == LEFT:
            picture.text(left - 6, y + 4, f"{us}", "dim", 12, "end")
    picture.box(left + 4, top + 5, 44 + 6.8 * max(map(len, locks)), 4 + 16 * len(locks), "card")
    for processors in PROCESSOR_TICKS:
        x = left + _width_of(processors)
        picture.text(x, top + HEIGHT + 17, f"{processors}", "dim", 12, "middle")
    for lock in sorted(set(points["lock"]) - set(locks)):
        picture.line(_curve(points, lock, left, top), "mid", 0.6)
    for number, (lock, colour) in enumerate(zip(locks, LINES, strict=False)):
        picture.line(_curve(points, lock, left, top), colour, 2)
        unfair = points[points["lock"] == lock]["unfair"]
        for (x, y), hollow in zip(_curve(points, lock, left, top), unfair, strict=True):
            picture.circle(x, y, 3.2, "card" if hollow else colour, colour)
        y = top + 14 + 16 * number
        picture.line([(left + 8, y), (left + 26, y)], colour, 2)
        picture.text(left + 32, y + 4, lock, size=12)


def _key(picture: Drawing, sections: int, left: float, top: float) -> None:
    picture.circle(left + 5, top + 42, 3.2, "card", "ink")
    lines = [
        (0, "Grey: all other locks."),
        (16, "Unfair: a processor has less"),
        (16, f"than {UNFAIR:.0%} of an equal share."),
        (0, f"{sections:,} sections in each run."),
    ]
    for number, (indent, words) in enumerate(lines):
        picture.text(left + indent, top + 24 + 22 * number, words)


def _curve(points: pd.DataFrame, lock: str, left: float, top: float) -> list[tuple[float, float]]:
    rows = points[points["lock"] == lock]
    return [
        (left + _width_of(processors), top + _height_of(us))
        for processors, us in zip(rows["processors"], rows["us"], strict=True)
    ]


def _width_of(processors: float) -> float:
    return WIDTH * processors / MOST_PROCESSORS


def _height_of(us: float) -> float:
    return HEIGHT * (1 - (log10(us) - log10(LEAST_US)) / (log10(MOST_US) - log10(LEAST_US)))
