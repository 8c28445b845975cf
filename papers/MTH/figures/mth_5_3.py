# SPDX-License-Identifier: MIT
"""MTH section 5.3: lines of a thread after misses of its own and of others, expected and counted.

Counted in two ways: by Monte Carlo, in a cache of 1000 lines, and in a simulated cache under three
patterns of loads, of which the first is what the equations assume.

The companion is mth-5.3-order: reload transients of two threads, by misses of others.
"""

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from symlab.errors import NotRun
from symlab.plot.figure import Figure, Verdict, finished
from symlab.plot.ticks import from_zero
from symlab_papers.affinity import equations
from symlab_papers.affinity.monte_carlo import Caches, mean_lines, mean_reload
from symlab_papers.claims import Claim, judges

MONTE_CARLO, RANDOM = "monte-carlo", "random"
LINES = 1000  # of the Monte Carlo; those of the counterexample of MTH-22
TRIALS = 4000  # the mean of the smallest number, 27 lines, is then within 0.3 % (one deviation)
RELOADS = 1000  # trials of whole reloads; the mean of the shortest is within 0.3 %
SEED = 1
MISSES = (100, 500, 1000, 2000)
HELD_FROM, LEFT_OF = (0, 200, 500, 900), (200, 500, 900)
RELOAD = ((200, 1000), (500, 500), (900, 200), (900, 1000))  # footprint, misses of others
WITHIN = 0.01
HELD, LEFT, BACK, TRANSIENT = "held", "left", "back", "reload"
COLUMNS = ("quantity", "source", "lines", "loads", "cache", "misses", "equation", "counted")


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """Tidy data: COLUMNS; first the Monte Carlo, then the runs, sorted.

    quantity: HELD, lines after `misses` of the thread's own, from `lines` on (Equation 7). LEFT,
    lines left of `lines` after `misses` of others (Equation 9). TRANSIENT, own misses until the
    thread has `lines` again after `misses` of others (Equation 10). BACK, lines after as many own
    misses as Equation 10 says. source: MONTE_CARLO or the pattern of loads. loads: misses of the
    Monte Carlo, loads of the guest. cache: its lines.
    """
    columns = ["pattern", "loads", "cache_lines", "own_misses", "foreign_misses"]
    done = finished(runs, [*columns, "held_lines", "left_lines"])
    if done.empty:
        return pd.DataFrame(columns=list(COLUMNS))
    rows = [row for run in done.to_dict("records") for row in _counted(run)]
    found = pd.DataFrame(rows, columns=list(COLUMNS))
    found = found.sort_values(["quantity", "source", "loads"], ignore_index=True)
    return pd.concat([_monte_carlo(), found], ignore_index=True)


def _counted(run: dict) -> Iterator[tuple]:
    """The two rows of a run. What the thread held is a mean, rounded in the column `lines`."""
    source, loads, cache_lines = run["pattern"], int(run["loads"]), int(run["cache_lines"])
    own, others, held = run["own_misses"], run["foreign_misses"], run["held_lines"]
    after = float(equations.lines_held(cache_lines, 0, own))
    yield HELD, source, 0, loads, cache_lines, own, after, held
    after = float(equations.lines_left(cache_lines, held, others))
    yield LEFT, source, round(held), loads, cache_lines, others, after, run["left_lines"]


@cache
def _monte_carlo() -> pd.DataFrame:
    """The rows of the Monte Carlo, the same in every call."""
    rows: list[tuple] = []
    starts: list[tuple[str, bool, tuple[int, ...], Any]]
    starts = [(HELD, True, HELD_FROM, equations.lines_held)]
    starts += [(LEFT, False, LEFT_OF, equations.lines_left)]
    for quantity, own, froms, equation in starts:
        for lines in froms:
            counted = mean_lines(Caches(TRIALS, LINES, lines, SEED), own, MISSES)
            for n, of in counted.items():
                after = float(equation(LINES, lines, n))
                rows.append((quantity, MONTE_CARLO, lines, n, LINES, float(n), after, of))
    for lines, misses in RELOAD:
        transient = float(equations.reload_transient(LINES, lines, misses))
        key = MONTE_CARLO, lines, misses, LINES, float(misses)
        reloads = mean_reload(_after_others(RELOADS, lines, misses), lines)
        rows.append((TRANSIENT, *key, transient, reloads))
        caches = _after_others(TRIALS, lines, misses)
        back = mean_lines(caches, True, [round(transient)])
        rows.append((BACK, *key, float(lines), back[round(transient)]))
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _after_others(trials: int, lines: int, misses: int) -> Caches:
    caches = Caches(trials, LINES, lines, SEED)
    caches.miss(misses, own=False)
    return caches


MARKS = {  # source -> label, colour, marker
    RANDOM: ("random loads", "#009E73", "o"),
    "sweep": ("a sweep through rows", "#D55E00", "s"),
    "stride": ("every fourth line", "#CC79A7", "^"),
}


def draw(ax: Axes, data: pd.DataFrame) -> None:
    misses = np.linspace(0, 2.1 * LINES, 200)
    held = equations.lines_held(LINES, 0, misses) / LINES
    left = equations.lines_left(LINES, LINES, misses) / LINES
    ax.plot(misses / LINES, held, color="#000000", label="held, Equation 7")
    ax.plot(misses / LINES, left, "--", color="#000000", label="left, Equation 9")
    for source, (label, colour, marker) in MARKS.items():
        for quantity, filled in ((HELD, True), (LEFT, False)):
            rows = data[(data["source"] == source) & (data["quantity"] == quantity)]
            whole = rows["cache"] if quantity == HELD else rows["lines"]
            look: Any = {"color": colour, "fillstyle": "full" if filled else "none"}
            name = label if filled else f"_{label}"
            x, y = rows["misses"] / rows["cache"], rows["counted"] / whole
            ax.plot(x, y, marker, label=name, markersize=5, **look)
    ax.set_xlabel("Misses for each line of the cache")
    ax.set_ylabel("Lines held of the cache; left of those held")
    ax.set_ylim(0, 1.05)
    ax.legend(frameon=False, fontsize="small")


def _near(claim: Claim, data: pd.DataFrame, quantity: str) -> Verdict:
    """Monte Carlo within 1 % of the equation; the simulated cache within 1 % of its lines."""
    rows = data[data["quantity"] == quantity]
    by_chance, simulated = rows[rows["source"] == MONTE_CARLO], rows[rows["source"] == RANDOM]
    if simulated.empty:
        raise NotRun("random loads")
    error = abs(simulated["counted"] - simulated["equation"]) / simulated["cache"]
    parts = {f"{n} loads": float(e) for n, e in zip(simulated["loads"], error, strict=True)}
    return claim.all_of(
        _monte_carlo_near(claim, by_chance),
        claim.at_most(parts, WITHIN, "error over the cache's lines, simulated, {}"),
    )


def _monte_carlo_near(claim: Claim, rows: pd.DataFrame) -> Verdict:
    if rows.empty:
        raise NotRun("all runs")
    keys = zip(rows["quantity"], rows["lines"], rows["loads"], strict=True)
    error = abs(rows["counted"] / rows["equation"] - 1)
    parts = {f"{q}, {i} lines, {n} misses": e for (q, i, n), e in zip(keys, error, strict=True)}
    return claim.at_most(parts, WITHIN, "error, Monte Carlo, {}")


@judges("MTH-19")
def mth_19(claim: Claim, data: pd.DataFrame) -> Verdict:
    return _near(claim, data, HELD)


@judges("MTH-20")
def mth_20(claim: Claim, data: pd.DataFrame) -> Verdict:
    return _near(claim, data, LEFT)


@judges("MTH-21")
def mth_21(claim: Claim, data: pd.DataFrame) -> Verdict:
    return _monte_carlo_near(claim, data[data["quantity"].isin([TRANSIENT, BACK])])


FIGURE = Figure(series, draw, (mth_19, mth_20, mth_21), tidy=True)

# mth-5.3-order, the counterexample to Equation 11.

FIRST, SECOND = (900, 900), (500, 100)  # footprint and lines left: of N = 1000 in MTH-22
TURNS, NEAR = 95, 1  # misses of others until the transients are equal, and our tolerance
EARLY, LATE = 0, 200
ORDER_COLUMNS = ["source", "footprint", "foreign", "equation", "counted"]


def order_series(runs: pd.DataFrame) -> pd.DataFrame:
    """Tidy data, sorted: ORDER_COLUMNS; transients in misses, `foreign` misses of others. source:
    MONTE_CARLO, N=1000, or "simulated", with the lines of the simulated cache."""
    columns = ["footprint", "left", "foreign", "cache_lines", "reload_misses"]
    done = finished(runs, columns)
    if done.empty:
        return pd.DataFrame(columns=ORDER_COLUMNS)
    rows = [
        (
            "simulated", int(run["footprint"]), int(run["foreign"]),
            _transient(int(run["cache_lines"]), run["footprint"], run["left"], run["foreign"]),
            float(run["reload_misses"]),
        )
        for run in done.to_dict("records")
    ]  # fmt: skip
    chance = [
        _by_chance(*thread, n) for thread in (FIRST, SECOND) for n in sorted({r[2] for r in rows})
    ]
    found = pd.DataFrame([*chance, *rows], columns=ORDER_COLUMNS)
    return found.sort_values(ORDER_COLUMNS[:3], ignore_index=True)


def _transient(cache_lines: int, footprint: float, left: float, foreign: float) -> float:
    remain = equations.lines_left(cache_lines, left, foreign)
    return float(equations.transient_from(cache_lines, footprint, remain))


@cache
def _by_chance(footprint: int, left: int, foreign: int) -> tuple:
    counted = mean_reload(_after_others(RELOADS, left, foreign), footprint)
    return MONTE_CARLO, footprint, foreign, _transient(LINES, footprint, left, foreign), counted


def order_draw(ax: Axes, data: pd.DataFrame) -> None:
    foreign = np.linspace(EARLY, LATE, 100)
    looks = (
        (FIRST, "#0072B2", "900 lines, just stopped"),
        (SECOND, "#D55E00", "500 lines, 100 left"),
    )
    for (footprint, left), colour, label in looks:
        transients = [_transient(LINES, footprint, left, n) for n in foreign]
        ax.plot(foreign, transients, color=colour, label=f"{label}: Equation 10")
        for source, marker in ((MONTE_CARLO, "o"), ("simulated", "x")):
            rows = data[(data["source"] == source) & (data["footprint"] == footprint)]
            name = "Monte Carlo" if source == MONTE_CARLO else "simulated cache of 1024 lines"
            ax.plot(rows["foreign"], rows["counted"], marker, color=colour, label=f"_{name}")
    ax.plot([], [], "o", color="0.4", label="Monte Carlo")
    ax.plot([], [], "x", color="0.4", label="simulated cache of 1024 lines")
    ax.axvline(equations.order_turns(LINES, FIRST, SECOND), color="0.6", linewidth=0.8)
    ax.set_xlabel("Further misses of others")
    ax.set_ylabel("Reload transient (misses)")
    from_zero(ax)
    ax.legend(frameon=False, fontsize="small")


@judges("MTH-22")
def mth_22(claim: Claim, data: pd.DataFrame) -> Verdict:
    at: Any = data.set_index(["source", "footprint", "foreign"])
    parts = []
    cases = (MONTE_CARLO, "equation"), (MONTE_CARLO, "counted"), ("simulated", "counted")
    for source, value in cases:
        keys = [(source, of, n) for of in (FIRST[0], SECOND[0]) for n in (EARLY, LATE)]
        if missing := [f"{s}, {e} lines, {n}" for s, e, n in keys if (s, e, n) not in at.index]:
            raise NotRun("; ".join(missing))
        early, late, early_second, late_second = (float(at.loc[key, value]) for key in keys)
        name = "Equation 10" if value == "equation" else source
        parts.append(claim.at_most({"": early / early_second}, 1, f"at once, {name}"))
        parts.append(claim.at_least({"": late / late_second}, 1, f"after {LATE} misses, {name}"))
    turns = equations.order_turns(LINES, FIRST, SECOND)
    parts.append(claim.at_most({"": abs(turns - TURNS)}, NEAR, f"equal after {turns:.1f} misses"))
    return claim.all_of(*parts)


FIGURES = {
    "order": Figure(
        order_series, order_draw, (mth_22,), tidy=True,
        caption="Reload transients of two threads, whose order changes",
    ),
}  # fmt: skip
