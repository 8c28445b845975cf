# SPDX-License-Identifier: MIT
"""The speed of symsim over time: a panel for each scenario of the benchmark, from history.csv."""

from math import floor, log10

import pandas as pd
from symlab.places import ROOT
from symlab_papers.host import REFERENCE_WAKE_NS

from symlab_tools.bench import history
from symlab_tools.bench.scenarios import NORMALISED, SCENARIOS, Scenario
from symlab_tools.svg import Drawing

FOLDER = ROOT / "results" / "bench"
TITLE = "Speed over time: normalised slowdown of each scenario"
COLUMNS, GAP, BETWEEN_ROWS = 4, 52.0, 62.0
LEFT, TOP, WIDTH, HEIGHT = 56.0, 104.0, 190.0, 120.0  # of the first panel's plot
FULL = LEFT + COLUMNS * WIDTH + (COLUMNS - 1) * GAP + 28
MOST_TICKS = 4
MOST_DATES = 4  # that fit below a panel


def read() -> pd.DataFrame:
    """The table of all measurements. Raises UserError if it is not there."""
    return history.load(FOLDER)


def draw(measured: pd.DataFrame) -> str:
    """The picture of a table with `history.COLUMNS`."""
    points = measured.assign(measurement=measured.groupby(["date", "commit"], sort=True).ngroup())
    panels = [s for s in SCENARIOS if (points["config"] == s.name).any()]
    rows = -(-(len(panels) + 1) // COLUMNS)
    height = TOP + rows * HEIGHT + (rows - 1) * BETWEEN_ROWS + 50
    picture = Drawing(FULL, height, TITLE, "; ".join(_ends(points, panels)))
    picture.heading(
        "results/bench/history.csv",
        f"host CPU time for each simulated second, x {REFERENCE_WAKE_NS:g} ns / kernel_wake; "
        "a point is a measurement, in order of time",
    )
    dates = points.drop_duplicates("measurement").set_index("measurement")["date"].sort_index()
    for number, scenario in enumerate(panels):
        own = points[points["config"] == scenario.name].sort_values("measurement", kind="stable")
        _panel(picture, scenario, own, dates, *_corner(number))
    _key(picture, *_corner(len(panels)))
    return picture.svg()


def _ends(points: pd.DataFrame, panels: list[Scenario]) -> list[str]:
    """The first and the last value of each panel, in words."""
    found = []
    for scenario in panels:
        own = points[points["config"] == scenario.name].sort_values("measurement", kind="stable")
        first, last = (own[NORMALISED].iloc[at] for at in (0, -1))
        found.append(f"{scenario.name}: {first:.3g} to {last:.3g}")
    return found


def _corner(number: int) -> tuple[float, float]:
    row, column = divmod(number, COLUMNS)
    return LEFT + column * (WIDTH + GAP), TOP + row * (HEIGHT + BETWEEN_ROWS)


def _panel(
    picture: Drawing, scenario: Scenario, own: pd.DataFrame, dates: pd.Series,
    left: float, top: float,
) -> None:  # fmt: skip
    bound = scenario.at_most if scenario.column == NORMALISED else None
    ticks = _ticks(max(own[NORMALISED].max(), bound or 0))
    per_pixel = ticks[-1] / HEIGHT
    apart = WIDTH / max(len(dates) - 1, 1)
    picture.text(left, top - 12, scenario.name, bold=True)
    for tick in ticks:
        y = top + HEIGHT - tick / per_pixel
        picture.line([(left, y), (left + WIDTH, y)], "rule")
        picture.text(left - 6, y + 4, f"{tick:g}", "dim", 12, "end")
    days = dates.str.slice(5, 10)
    shown = list(days[days != days.shift()].index)[:: -(-days.nunique() // MOST_DATES)]
    for at in shown:
        anchor = "start" if at == 0 else "end" if at == len(dates) - 1 else "middle"
        picture.text(left + at * apart, top + HEIGHT + 17, days[at], "dim", 12, anchor)
    if bound is not None:
        y = top + HEIGHT - bound / per_pixel
        picture.line([(left, y), (left + WIDTH, y)], "red", 1.5, dashed=True)
    curve = [
        (left + at * apart, top + HEIGHT - value / per_pixel)
        for at, value in zip(own["measurement"], own[NORMALISED], strict=True)
    ]
    picture.line(curve, "blue", 2)
    for (x, y), changed in zip(curve, own["changed_since_commit"], strict=True):
        picture.circle(x, y, 3.2, "card" if changed else "blue", "blue")


def _ticks(most: float) -> list[float]:
    """Round values from 0 to at least `most`, MOST_TICKS steps at most."""
    power = 10.0 ** floor(log10(most))
    steps = (part * power for part in (0.1, 0.2, 0.5, 1, 2, 5))
    step = next(step for step in steps if most / step <= MOST_TICKS)
    return [round(step * n, 12) for n in range(-int(-most // step) + 1)]


def _key(picture: Drawing, left: float, top: float) -> None:
    picture.line([(left, top + 20), (left + 22, top + 20)], "red", 1.5, dashed=True)
    picture.text(left + 30, top + 24, "at most, if it has such a bound")
    picture.circle(left + 11, top + 42, 3.2, "card", "blue")
    picture.text(left + 30, top + 46, "files differed from the commit")
    picture.text(left, top + 68, "Less is faster.")
