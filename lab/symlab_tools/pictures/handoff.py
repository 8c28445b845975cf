# SPDX-License-Identifier: MIT
"""Handoffs of five locks: processors and bus around one release with seven quiet waiters."""

from dataclasses import dataclass
from pathlib import Path

import pandas as pd
from symlab.plot.curves import chosen
from symlab.reports.intervals import Episodes

from symlab_tools.pictures.runs import MODEL_A, traced, uses_of
from symlab_tools.svg import Drawing

# Lock -> its name in the title.
LOCKS = {
    "xchgb": "a test-and-set lock (TAS)",
    "read": "a test-and-test-and-set lock (TTAS)",
    "backoff": "a TTAS lock with backoff",
    "array": "an array queue lock",
    "mcs": "an MCS queue lock",
}
FILES = {"handoff-tas": "xchgb", "handoff-ttas": "read"} | {
    f"handoff-{lock}": lock for lock in ("backoff", "array", "mcs")
}

PROCESSORS = 8
ROUNDS = 4  # the last is drawn: code and data are in the caches
ROUND_US = 5000  # default of guest/workloads/quiesce.c
WINDOW_US = 1500  # likewise: from the release to that of the next holder
MARGIN_US = 50  # the last uses of the bus before the next release do not belong to this handoff
PS = 1_000_000  # per us

BEGIN_US, END_US = -4.0, 37.5  # equal in all pictures, so that they compare
LEFT, SCALE = 62, 21.5  # x of BEGIN_US; pixels per us
WIDTH = LEFT + SCALE * (END_US - BEGIN_US) + 18
TOP, LANE, BAR = 92, 33, 12  # y of the first lane; heights of a lane, and of each of its two bars

HOLDS, SPINS, STOPPED = "holds the lock", "waits for it, runs in its cache", "stopped for the bus"
ROLES = {HOLDS: "green", SPINS: "pale", STOPPED: "mid"}
KINDS = {
    "read": "read",
    "locked_read": "locked read",
    "locked_store": "locked store and unlock",
    "store": "store",
}


@dataclass(frozen=True)
class Handoff:
    """What is drawn. Times in us after the release begins. `roles`: columns processor, role, begin,
    end. `uses` of the bus: processor, kind, reply, begin, length. `quiet`: when the last use before
    the next release ends; None if uses last till then."""

    giver: int
    taker: int
    acquired: float
    roles: pd.DataFrame
    uses: pd.DataFrame
    quiet: float | None
    transactions: int  # until `quiet`, or to the next acquisition


def simulate(folder: Path, lock: str) -> Handoff:
    """Runs the quiescence workload with `lock`; returns the handoff of its last round, whose begin
    guest/workloads/quiesce.c explains."""
    settings = {
        "machine.processors": PROCESSORS,
        "guest.image": f"quiesce-{lock}",
        "guest.args.rounds": ROUNDS,
        "guest.args.round_us": ROUND_US,
        "guest.args.window_us": WINDOW_US,
    }
    run = traced(folder, MODEL_A, settings)
    assert run.log
    parts = run.episodes
    release = parts.releases[parts.releases["time_ps"] >= ROUNDS * ROUND_US * PS].iloc[0]
    zero, giver = int(release["time_ps"]), int(release["processor"])
    following = parts.waits[parts.waits["lock"] == release["lock"]]  # in order of acquisition
    taken = following[following["acquired_ps"] > zero].iloc[0]
    acquired = (int(taken["acquired_ps"]) - zero) / PS
    uses = uses_of(run.log.bus, zero, PS)
    after = uses[(uses["begin"] >= 0) & (uses["begin"] < WINDOW_US - MARGIN_US)]
    end = float((after["begin"] + after["length"]).max())
    quiet = end if end < WINDOW_US - 2 * MARGIN_US else None
    counted = after if quiet is not None else after[after["begin"] < acquired]
    roles = _roles_of(parts, run.log.states, zero, giver, acquired)
    return Handoff(
        giver,
        int(taken["processor"]),
        acquired,
        visible(roles, roles["end"]),
        visible(uses, uses["begin"] + uses["length"]),
        quiet,
        int((~counted["reply"]).sum()),
    )


def _roles_of(
    parts: Episodes, states: pd.DataFrame, zero: int, giver: int, acquired: float
) -> pd.DataFrame:
    """Waits, holds, and the stops of the waiters or, until the lock is acquired, release."""

    def shifted(frame: pd.DataFrame, begin: str, end: str, role: str) -> pd.DataFrame:
        begins, ends = (frame[begin] - zero) / PS, (frame[end] - zero) / PS
        return frame[["processor"]].astype(int).assign(role=role, begin=begins, end=ends)

    waits = shifted(parts.waits, "attempt_ps", "acquired_ps", SPINS)
    holds = shifted(parts.holds, "acquired_ps", "released_ps", HOLDS)
    releasing = pd.DataFrame({"processor": [giver], "begin": 0.0, "end": acquired})
    stops = states[states["state"].isin(["waiting", "served"])]
    stopped = within(
        shifted(stops, "start_ps", "end_ps", STOPPED),
        pd.concat([waits, releasing], ignore_index=True),
    )
    return pd.concat([waits, stopped, holds])


def visible(rows: pd.DataFrame, ends: pd.Series) -> pd.DataFrame:
    """The rows that have a part between BEGIN_US and END_US."""
    return rows[(ends > BEGIN_US) & (rows["begin"] < END_US)].reset_index(drop=True)


def within(inner: pd.DataFrame, outer: pd.DataFrame) -> pd.DataFrame:
    """The rows of `inner` that begin within a row of `outer` of the same processor."""
    pairs = inner.reset_index().merge(outer, on="processor", suffixes=("", "_of"))
    inside = (pairs["begin"] >= pairs["begin_of"]) & (pairs["begin"] < pairs["end_of"])
    return inner.loc[sorted(set(pairs.loc[inside, "index"]))]


def x_of(us: float) -> float:
    """The x of a time, at most at the border of the diagram."""
    return LEFT + SCALE * (min(max(us, BEGIN_US), END_US) - BEGIN_US)


def draw(lock: str, handoff: Handoff) -> str:
    bus_top = TOP + PROCESSORS * LANE + 8
    bottom = bus_top + 24
    title = f"Handoff of {LOCKS[lock]}"
    picture = Drawing(WIDTH, bottom + 96, title, f"{title}: {sentence(handoff)}")
    about = f"{lock}, {PROCESSORS} processors, Model A"
    picture.heading(about, sentence(handoff), 18)
    _times(picture, handoff, bottom)
    for processor in range(PROCESSORS):
        top = TOP + processor * LANE
        picture.text(LEFT - 10, top + 21, f"P{processor}", anchor="end")
        for role, colour in ROLES.items():
            rows = chosen(handoff.roles, processor=processor, role=role)
            _bars(picture, rows["begin"], rows["end"], top + BAR + 2, BAR, colour)
        _uses(picture, chosen(handoff.uses, processor=processor), top, BAR)
    picture.text(LEFT - 10, bus_top + 16, "bus", anchor="end", bold=True)
    picture.box(x_of(BEGIN_US), bus_top, SCALE * (END_US - BEGIN_US), 22, "pale")
    _uses(picture, handoff.uses, bus_top, 22)
    legend = {
        "Lower bar: the processor": ROLES.items(),
        "Upper bar: its uses of the bus": [(words, f"kind-{k}") for k, words in KINDS.items()],
    }
    for line, (head, entries) in zip((bottom + 52, bottom + 74), legend.items(), strict=True):
        picture.text(20, line, head, "dim", 12)
        picture.legend(216, line, entries, 48, 6.4)
    return picture.svg()


def sentence(handoff: Handoff) -> str:
    """The measured numbers, in words."""
    words = f"{handoff.acquired:.1f} us from the start of the release to the next acquisition"
    transactions = f"{handoff.transactions} bus transactions"
    if handoff.quiet is None:
        return f"{words}, {transactions}. The waiters never stop using the bus."
    return f"{words}. {transactions}; the bus is quiet again after {handoff.quiet:.1f} us."


def _uses(picture: Drawing, uses: pd.DataFrame, top: float, height: float) -> None:
    for kind in KINDS:
        rows = chosen(uses, kind=kind)
        _bars(picture, rows["begin"], rows["begin"] + rows["length"], top, height, f"kind-{kind}")


def _bars(
    picture: Drawing, begins: pd.Series, ends: pd.Series, top: float, height: float, colour: str
) -> None:
    spans = zip(map(x_of, begins), map(x_of, ends), strict=True)
    picture.blocks([(left, top, right - left, height) for left, right in spans], colour)


def _times(picture: Drawing, handoff: Handoff, bottom: float) -> None:
    for tick in range(0, int(END_US) + 1, 5):
        x = x_of(tick)
        picture.line([(x, TOP - 4), (x, bottom + 4)], "rule")
        picture.text(x, bottom + 18, f"{tick}" + (" us" if tick == 0 else ""), "dim", 12, "middle")
    for us, words, anchor, gap in (
        (0.0, f"P{handoff.giver} begins to release", "end", -5),
        (handoff.acquired, f"P{handoff.taker} has the lock", "start", 5),
    ):
        picture.line([(x_of(us), TOP - 18), (x_of(us), bottom + 4)], "ink", 1.2, dashed=True)
        picture.text(x_of(us) + gap, TOP - 9, words, size=12, anchor=anchor)
