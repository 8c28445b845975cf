# SPDX-License-Identifier: MIT
"""WKS Table 1: where the time goes with TAS-no-preempt, by work per section and level.

On 20 processors of a Sequent Symmetry for the KSR1's 31. Rows have the paper's names: 16.7, 66.7
and 120 times as much work outside a section as inside. papers/WKS/figures/table-1.toml derives
the work with which 20 processors serialise as 31 did. The claims are judged on Model B, whose
caches own lines as those of the KSR1 do.
"""

from collections.abc import Iterable
from itertools import pairwise

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from symlab.plot.curves import Curves, Plot, chosen
from symlab.plot.figure import Figure, Verdict
from symlab.plot.repeats import averaged_quantities
from symlab_papers.claims import Claim, judges
from symlab_papers.measures.processes import (
    STATES,
    THOUSANDTHS,
    keys_of,
    measure,
    named,
    of_variant,
)

ROWS = {40: "16.7", 165: "66.7", 295: "120"}  # outside_us -> the paper's work / section
FIRST, SECOND, THIRD = ROWS.values()
LEVELS = (1000, 1400, 2000)  # m in thousandths
CELLS = [(row, m) for row in ROWS.values() for m in LEVELS]
PROCESSORS, PAPERS = 20, 31
SECTION_SHARE = 0.025 * PAPERS / PROCESSORS  # sections of all fill at most the time of one
POINT = 0.01
CONSTANT = 1.15
# The cell (16.7, 2.0) prints 6.7 % of work, and its shares sum to 98.9 %. With 7.7 % they sum to
# 99.9 %, and its work is as long as in the other two cells of the row; with 6.7 % it is 0.87 of it.
BETWEEN_PRINTED = 0.93


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """Tidy data, sorted: VARIANTS, row, multiprogramming (m in thousandths), quantity, value,
    spread.

    Quantities: seconds elapsed; <state>_share of the workers' time, where preempted includes ready;
    work_s and section_s, the time that a worker is in that state.
    """
    times = {state: f"workers_{state}_us" for state in STATES}
    done = named(runs, ["outside_us", "multiprogramming", *times.values()])
    done["row"] = done["outside_us"].map(ROWS)
    all_us = done[list(times.values())].sum(axis=1)
    done[times["preempted"]] += done[times["ready"]]
    states = [state for state in STATES if state != "ready"]
    for state in states:
        done[f"{state}_share"] = done[times[state]] / all_us
    # Releases take time, but only a lock that passes the probe lock_released shows it.
    done["release_share"] = done["release_share"].replace(0.0, np.nan)
    for state in ("work", "section"):
        done[f"{state}_s"] = done[times[state]] / done["workers"] / 1e6
    done["seconds"] = done["elapsed_us"] / 1e6
    keys = keys_of(runs, "row", "multiprogramming")
    shares = [f"{state}_share" for state in states]
    return averaged_quantities(done, keys, ["seconds", *shares, "work_s", "section_s"])


def draw(ax: Axes, data: pd.DataFrame) -> None:
    shown = of_variant(data)
    PLOT(ax, shown.assign(m=shown["multiprogramming"] / THOUSANDTHS))


PLOT = Plot("value", "Time (s)", "row", "m", "Processes a processor", where={"quantity": "seconds"})


@judges("WKS-17", "D falls with m in rows 16.7 and 66.7, and is least at m=1.4 in row 120")
def wks_17(claim: Claim, data: pd.DataFrame) -> Verdict:
    falls = [((row, b), (row, a)) for row in (FIRST, SECOND) for a, b in pairwise(LEVELS)]
    least = [((THIRD, 1400), (THIRD, other)) for other in (1000, 2000)]
    return _ordered(claim, _of(data, "seconds"), [*falls, *least])


@judges("WKS-18", "the share in acquire falls along each row and column")
def wks_18(claim: Claim, data: pd.DataFrame) -> Verdict:
    rows = tuple(ROWS.values())
    along = [((row, b), (row, a)) for row in rows for a, b in pairwise(LEVELS)]
    down = [((b, m), (a, m)) for m in LEVELS for a, b in pairwise(rows)]
    return _ordered(claim, _of(data, "acquire_share"), [*along, *down])


@judges("WKS-19", "share of sections <= 2.5 % times 31/20")
def wks_19(claim: Claim, data: pd.DataFrame) -> Verdict:
    share = _of(data, "section_share")
    return claim.at_most({_name(*at): share[at] for at in CELLS}, SECTION_SHARE, "{}")


@judges("WKS-20", "preempted for (m - 1)/2 of the time, +- 1 point")
def wks_20(claim: Claim, data: pd.DataFrame) -> Verdict:
    share = _of(data, "preempted_share")
    off = {
        f"{_name(row, m)}: {share[row, m]:.3f}": abs(
            share[row, m] - (m - THOUSANDTHS) / THOUSANDTHS / 2
        )
        for row, m in CELLS
    }
    return claim.at_most(off, POINT, "distance, {}")


@judges(
    "WKS-21",
    "the share of releases is larger at m=1.4 and 2 than at m=1, and smaller in cell (120, 2) "
    "than in (120, 1.4)",
)
def wks_21(claim: Claim, data: pd.DataFrame) -> Verdict:
    grows = [((row, 1000), (row, m)) for row in ROWS.values() for m in (1400, 2000)]
    return _ordered(claim, _of(data, "release_share"), [*grows, ((THIRD, 2000), (THIRD, 1400))])


# The other part of the claim, that sections take 3.7 times as long as alone, is of the KSR1.
@judges("WKS-22", "seconds of work, and of sections, within 15 % in each row")
def wks_22(claim: Claim, data: pd.DataFrame) -> Verdict:
    ratios = {}
    for state in ("work", "section"):
        for row in ROWS.values():
            times = _of(data, f"{state}_s").at(row, LEVELS).values()
            ratios[f"{state} in row {row}"] = max(times) / min(times)
    return claim.at_most(ratios, CONSTANT, "most over least, {}")


@judges("WKS-23", "seconds of work in cell (16.7, 2) over the mean of its row's others >= 0.93")
def wks_23(claim: Claim, data: pd.DataFrame) -> Verdict:
    work = _of(data, "work_s").at(FIRST, LEVELS)
    ratio = work[2000] / ((work[1000] + work[1400]) / 2)
    return claim.at_least({"": ratio}, BETWEEN_PRINTED, "0.87 with 6.7 %, 1.00 with 7.7 %")


def _of(data: pd.DataFrame, quantity: str) -> Curves:
    rows = chosen(of_variant(data), quantity=quantity)
    return Curves.of(rows, "value", "multiprogramming", "row", "1000 m")


def _name(row: str, m: int) -> str:
    return f"cell ({row}, {m / THOUSANDTHS:g})"


def _ordered(
    claim: Claim, of: Curves, pairs: Iterable[tuple[tuple[str, int], tuple[str, int]]]
) -> Verdict:
    """Whether the first cell of each pair has less than the second."""
    found = {f"{_name(*a)} over {_name(*b)}": of.pair(less=a, more=b) for a, b in pairs}
    return claim.ordered(found, "{}")


FIGURE = Figure(
    series, draw, (wks_17, wks_18, wks_19, wks_20, wks_21, wks_22, wks_23), measure=measure,
    tidy=True,
)  # fmt: skip
