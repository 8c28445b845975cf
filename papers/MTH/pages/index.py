# SPDX-License-Identifier: MIT
"""What the page on Steckermeier & Bellosa (1995) quotes: its claims with verdicts, and what its
models of affinity know."""

from collections.abc import Callable

import numpy as np
import pandas as pd
from symlab.plot.curves import chosen
from symlab_papers.affinity.replay import BY_LINES, GUESTS, MODELS
from symlab_papers.affinity.scores import ESTIMATING
from symlab_papers.documents.claim_table import claim_numbers, claim_table
from symlab_papers.documents.data import Data, Frame, curves, grid, named, percent, significant

from ..figures.mth_5_2 import FIRST_COME, PATTERNS
from ..figures.mth_5_3 import HELD, LEFT, MONTE_CARLO, RANDOM

PAPER = "MTH"
NAMES = {  # affinity -> the paper's name
    "none": "NoAff", "vtime": "VTime", "hyperbolic": "hyperbolic ageing",
    "exponential": "exponential ageing", "cmisses": "CMisses", "cmsum": "CmSum", "reload": "Reload",
    BY_LINES: "lines by Reload's estimate",
}  # fmt: skip
LINES, LACKS = "tau", "missing"
SCORED = {  # (pattern, column) -> title
    ("equal", LINES): "Equal data", ("unequal", LINES): "Unequal: has",
    ("unequal", LACKS): "Unequal: lacks", ("random", LINES): "At random: has",
    ("random", LACKS): "At random: lacks", ("scattered", LINES): "Scattered: has",
    ("scattered", LACKS): "Scattered: lacks",
}  # fmt: skip
COLUMNS = {pattern: label for pattern, (label, _, _) in PATTERNS.items()}
SOURCES = {"equation": "Equation", RANDOM: "Random", "sweep": "Sweep", "stride": "Every 4th line"}
THREADS = (900, 500)  # footprints, in lines, of the two threads of Equation 11


def tables(data: Data) -> dict[str, list[str]]:
    scores = data.csv("MTH/section-5.2")
    return {
        "claims": claim_table(data, PAPER),
        "known": _known(scores),
        "chosen": _chosen(scores),
        "misses": _misses(scores),
        "errors": _errors(scores),
        "held": _lines(data.csv("MTH/section-5.3"), HELD),
        "left": _lines(data.csv("MTH/section-5.3"), LEFT),
        "order": _order(data.csv("MTH/section-5.3-order")),
    }


def numbers(data: Data) -> dict[str, str]:
    return {**claim_numbers(data, PAPER), **_numbers(data)}


def _numbers(data: Data) -> dict[str, str]:
    counted = data.csv("MTH/section-5.3")
    by_chance = chosen(counted, source=MONTE_CARLO)
    error = abs(by_chance["counted"] / by_chance["equation"] - 1)
    held = _at(counted, HELD)
    crossing = data.csv("MTH/figure-6").set_index("affinity").loc["hyperbolic", "crossing"]
    traffic = data.csv("MTH/section-4.3")
    ratio = traffic["traffic"] / traffic["bound"]
    return {
        "monte-carlo": percent(error.max(), 2),
        "held-sweep": percent(1 - held("equation", 2048) / held("sweep", 2048)),
        "held-stride": significant(held("equation", 4096) / held("stride", 4096), 2),
        "crossing": f"{crossing:.2f}",
        "pools-least": f"{ratio.min():.3f}",
        "pools-most": f"{ratio.max():.3f}",
    }


def _known(scores: pd.DataFrame) -> list[str]:
    """Rank correlations of all models on the runs that are scheduled first come, first served."""
    at: Frame = chosen(scores, affinity=FIRST_COME).set_index(["model", "pattern"])
    rows = {model: NAMES[model] for model in MODELS}

    def cell(model: str, key: tuple[str, str]) -> str:
        return f"{at.loc[(model, key[0]), key[1]]:.2f}"

    return grid("Model", rows, SCORED, cell)


def _chosen(scores: pd.DataFrame) -> list[str]:
    """Lines that the thread has that each model chooses, over those of who has most, in %."""
    at = scores.drop_duplicates(["affinity", "pattern"]).set_index(["affinity", "pattern"])
    found = at["chosen_lines"] / at["most_lines"]
    rows = {model: NAMES[model] for model in GUESTS}
    return grid("Scheduled by", rows, COLUMNS, lambda m, p: f"{percent(found[m, p])} %")


def _misses(scores: pd.DataFrame) -> list[str]:
    """Misses of a period under each model, and the change from first come, first served, in %."""
    at = scores.drop_duplicates(["affinity", "pattern"]).set_index(["affinity", "pattern"])
    found = at["period_misses"]
    rows = {model: NAMES[model] for model in GUESTS}

    def cell(model: str, pattern: str) -> str:
        ratio = found[model, pattern] / found[FIRST_COME, pattern]
        change = "" if model == FIRST_COME else f", {100 * (ratio - 1):+.0f} %"
        return f"{found[model, pattern]:.0f}{change}"

    return grid("Scheduled by", rows, COLUMNS, cell)


def _errors(scores: pd.DataFrame) -> list[str]:
    """Mean absolute errors of estimates, and what is estimated, in lines."""
    first_come: Frame = chosen(scores, affinity=FIRST_COME)
    at = first_come.set_index(["model", "pattern"])
    has = first_come.drop_duplicates("pattern").set_index("pattern")["mean_lines"]
    rows = {model: f"error of {NAMES[model]}" for model in ESTIMATING} | {"": "lines, mean"}

    def cell(model: str, pattern: str) -> str:
        value = at.loc[(model, pattern), "error"] if model else has[pattern]
        return significant(float(value), 2)

    return grid("Lines", rows, COLUMNS, cell)


def _at(counted: pd.DataFrame, quantity: str) -> Callable[[str, int], float]:
    """Lines of the simulated cache, by source and loads of the guest. A further source is the
    equation, for the misses of random loads."""
    rows = chosen(counted, quantity=quantity)
    rows = rows[rows["source"] != MONTE_CARLO]
    expected = chosen(rows, source=RANDOM).assign(source="equation")
    expected = expected.assign(counted=expected["equation"])
    return curves(pd.concat([rows, expected]), "source", "loads", "counted")


def _lines(counted: pd.DataFrame, quantity: str) -> list[str]:
    at = _at(counted, quantity)
    loads = np.unique(chosen(counted, source=RANDOM)["loads"])
    return grid("Loads", named(loads), SOURCES, lambda n, source: f"{at(source, n):.0f}")


def _order(transients: Frame) -> list[str]:
    at = transients.set_index(["source", "footprint", "foreign"])
    ways = {
        "Equation 10": (MONTE_CARLO, "equation"), "Monte Carlo": (MONTE_CARLO, "counted"),
        "simulated": ("simulated", "counted"),
    }  # fmt: skip
    columns = {(thread, way): f"{thread} lines: {way}" for thread in THREADS for way in ways}

    def cell(foreign: int, key: tuple[int, str]) -> str:
        source, value = ways[key[1]]
        return f"{abs(at.loc[(source, key[0], foreign), value]):.0f}"

    return grid("Misses of others", named(np.unique(transients["foreign"])), columns, cell)
