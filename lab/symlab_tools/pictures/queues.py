# SPDX-License-Identifier: MIT
"""Ready queues, free lists and locks of each strategy of the thread package."""

from dataclasses import dataclass

from symlab_tools.svg import Drawing

THREADS, BLOCKS, STACKS, IDLE, GIVEN = "threads", "blocks", "stacks", "idle", "given"
CENTRAL, OWN, OTHER = "the central queue", "the own queue", "another processor"

Row = tuple[str, str]  # what is in the list, and its name
READY: Row = (THREADS, "ready queue")
FREE_BLOCKS, FREE_STACKS = (BLOCKS, "free blocks"), (STACKS, "free stacks")
POOLS = ([(BLOCKS, "lists of blocks")], [FREE_STACKS])  # of all processors, each with its lock
LISTS = (FREE_BLOCKS, (STACKS, "a free stack"))  # of one processor


@dataclass(frozen=True)
class Strategy:
    """The lists of one strategy.

    `new`: where a new thread goes. `shared`: lists of all processors, grouped by lock. `rare`:
    likewise, but seldom used. `own`: lists of each processor; a ready queue among them has a lock,
    and the other processors search it.
    """

    name: str
    note: str
    new: tuple[str, ...]
    shared: tuple[list[Row], ...] = ()
    rare: tuple[list[Row], ...] = POOLS
    own: tuple[Row, ...] = LISTS


STRATEGIES = (
    Strategy(
        "single-lock", "One lock for the ready queue and both free lists.", (CENTRAL,),
        ([READY, FREE_BLOCKS, FREE_STACKS],), (), (),
    ),
    Strategy(
        "multiple-locks", "A lock for each of the three lists.", (CENTRAL,),
        ([READY], [FREE_BLOCKS], [FREE_STACKS]), (), (),
    ),
    Strategy(
        "local-freelist", "Each processor has free lists, which need no lock.", (CENTRAL,),
        ([READY],),
    ),
    Strategy(
        "idle-queue", "An idle processor gets the thread; if none is idle, the ready queue.",
        (OTHER, CENTRAL), ([READY], [(IDLE, "idle processors")]), own=((GIVEN, "given"), *LISTS),
    ),
    Strategy(
        "local-readyq", "A processor searches its own queue first, then those of the others.",
        (OWN,), own=(READY, *LISTS),
    ),
    Strategy(
        "local-readyq-random", "As local-readyq, but a new thread goes to a random queue.",
        (OTHER,), own=(READY, *LISTS),
    ),
    Strategy(
        "local-when-busy", "The own queue gets the thread while the central one is locked.",
        (CENTRAL, OWN), ([READY],), own=(READY, *LISTS),
    ),
    Strategy(
        "random-probe", "A random processor gets the thread if it is idle, else the ready queue.",
        (OTHER, CENTRAL), ([READY],), own=((GIVEN, "given"), *LISTS),
    ),
)  # fmt: skip

COLOURS = {
    THREADS: ("blue-pale", "blue"),
    BLOCKS: ("green-pale", "green"),
    STACKS: ("red-pale", "red"),
    IDLE: ("pale", "dim"),
    GIVEN: ("card", "blue"),
}
COLUMNS, PANEL, MARGIN = 2, 470.0, 16.0
TOP, ROW = 82.0, 27.0  # y of the first panel; height of a list
SHARED_TOP, PROCESSORS_AT, OWN_TOP = 64.0, 70.0, 114.0  # y within a panel
OWN_AT, OWN_WIDTH, OWN_SHOWN = 206.0, 58.0, 3  # x of the processors' lists; width; how many
LABELS_AT = OWN_AT + OWN_SHOWN * OWN_WIDTH + 6


def draw() -> str:
    title = "Queues, free lists and locks of the thread strategies"
    rows = [STRATEGIES[at : at + COLUMNS] for at in range(0, len(STRATEGIES), COLUMNS)]
    heights = [max(map(_height_of, row)) for row in rows]
    picture = Drawing(
        COLUMNS * PANEL + (COLUMNS + 1) * MARGIN, TOP + sum(heights) + MARGIN * len(rows), title,
        " ".join(f"{s.name}: {s.note}" for s in STRATEGIES),
    )  # fmt: skip
    picture.heading()
    _legend(picture, 60)
    y = TOP
    for row, height in zip(rows, heights, strict=True):
        for column, strategy in enumerate(row):
            _panel(picture, strategy, MARGIN + column * (PANEL + MARGIN), y, height)
        y += height + MARGIN
    return picture.svg()


def _height_of(strategy: Strategy) -> float:
    groups = [*strategy.shared, *strategy.rare]
    shared = SHARED_TOP + sum(ROW * len(group) + 7 for group in groups)
    own = OWN_TOP + ROW * len(strategy.own) - 10
    return max(shared, own) + 6


def _panel(picture: Drawing, strategy: Strategy, x: float, y: float, height: float) -> None:
    picture.box(x, y, PANEL, height, stroke="rule", round=6)
    picture.text(x + 14, y + 22, strategy.name, size=14, bold=True)
    picture.text(x + 14, y + 41, strategy.note, "dim", 12)
    top = y + SHARED_TOP
    for group in strategy.shared:
        top = _group(picture, group, x + 12, top, "amber", rare=False)
    for group in strategy.rare:
        top = _group(picture, group, x + 12, top, "mid", rare=True)
    for number in range(OWN_SHOWN):
        left = x + OWN_AT + number * OWN_WIDTH
        picture.circle(left + 25, y + PROCESSORS_AT, 12, "pale", "dim")
        picture.text(left + 25, y + PROCESSORS_AT + 4, f"P{number}", size=12, anchor="middle")
        for line, (kind, _) in enumerate(strategy.own):
            middle = y + OWN_TOP + line * ROW
            _icon(picture, kind, left + 6, middle, short=True)
            if kind == THREADS:
                _lock(picture, left + 36, middle)
                if number < OWN_SHOWN - 1:
                    below = middle + 11
                    picture.line([(left + 18, below), (left + 68, below)], "dim", arrow=True)
    picture.text(x + LABELS_AT, y + PROCESSORS_AT + 4, "...", "dim")
    for line, (_, name) in enumerate(strategy.own):
        picture.text(x + LABELS_AT, y + OWN_TOP + line * ROW + 4, name, size=12)
    _new_threads(picture, strategy.new, x + OWN_AT, y)


def _new_threads(picture: Drawing, where: tuple[str, ...], x: float, y: float) -> None:
    """Arrows from processor 0 to where its new threads go."""
    processor, first = y + PROCESSORS_AT, y + OWN_TOP - 9
    last = x + (OWN_SHOWN - 1) * OWN_WIDTH
    ends = {
        CENTRAL: [(x + 12, processor), (x - 10, processor + 6)],
        OWN: [(x + 22, processor + 13), (x + 20, first)],
        OTHER: [(x + 34, processor + 9), (last + 8, first)],
    }
    for place in where:
        picture.line(ends[place], "blue", 1.8, arrow=True)


def _group(
    picture: Drawing, rows: list[Row], x: float, y: float, colour: str, rare: bool
) -> float:  # fmt: skip
    """Lists under one lock, from `y` down; returns the y below them."""
    height = ROW * len(rows) + 2
    picture.box(x, y - 2, 182, height, "" if rare else "amber-pale", colour, 5, dashed=rare)
    _lock(picture, x + 9, y + height / 2 - 2)
    for line, (kind, name) in enumerate(rows):
        middle = y + ROW * (line + 0.5) - 1
        _icon(picture, kind, x + 30, middle, short=False)
        picture.text(x + 84, middle + 4, name, "dim" if rare else "ink", 12)
    return y + height + 5


def _icon(picture: Drawing, kind: str, x: float, middle: float, short: bool) -> None:
    fill, stroke = COLOURS[kind]
    if kind == IDLE:
        for number in range(3):
            picture.circle(x + 6 + 16 * number, middle, 6, fill, stroke)
        return
    if kind == GIVEN:
        picture.box(x + 7, middle - 6, 12, 12, fill, stroke, dashed=True)
        return
    count = 1 if kind == STACKS and short else 2 if short else 3
    for number in range(count):
        left = x + (13 if short else 16) * number
        if kind == STACKS:
            picture.box(left + (8 if short else 1), middle - 9, 9, 18, fill, stroke, 1)
        else:
            picture.box(left + 1, middle - 5.5, 11, 11, fill, stroke, 2)
            if number > 0 and not short:
                picture.line([(left - 4, middle), (left + 1, middle)], stroke)


def _lock(picture: Drawing, x: float, middle: float) -> None:
    picture.line(
        [(x + 2, middle), (x + 2, middle - 6), (x + 8, middle - 6), (x + 8, middle)], "ink", 1.6
    )
    picture.box(x, middle - 2, 10, 9, "ink", "", 1.5)


def _legend(picture: Drawing, y: float) -> None:
    x = MARGIN + 4
    for kind, words, width in (
        (THREADS, "threads", 94), (BLOCKS, "control blocks", 136), (STACKS, "stacks", 86),
    ):  # fmt: skip
        _icon(picture, kind, x if kind != STACKS else x - 6, y - 4, short=True)
        picture.text(x + 32, y, words, "dim", 12)
        x += width
    _lock(picture, x + 4, y - 4)
    picture.text(x + 22, y, "guarded by a lock", "dim", 12)
    picture.box(x + 142, y - 13, 24, 17, "", "mid", 4, dashed=True)
    picture.text(x + 174, y, "used rarely", "dim", 12)
    picture.line([(x + 262, y - 4), (x + 290, y - 4)], "blue", 1.8, arrow=True)
    picture.text(x + 297, y, "new threads of P0", "dim", 12)
    picture.line([(x + 424, y - 4), (x + 452, y - 4)], "dim", arrow=True)
    picture.text(x + 459, y, "searched next", "dim", 12)
