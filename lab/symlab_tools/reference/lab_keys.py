# SPDX-License-Identifier: MIT
"""The keys of a config that the lab alone reads: those of [sweep] and [figure]."""

from symlab.plot import look
from symlab.runs.grid import MOST_REPEATS, SIZES

SWEEP = {
    'sweep."KEY"': (
        'an array of values of that key, or a range: "1..20", "1..20..2"',
        'Values of a key: symlab sweep runs all combinations. "all" stands for every lock, barrier '
        "or strategy.",
    ),
    "sweep.joint": (
        "tables [[sweep.joint]]: for each key an array of values, all of one length",
        "Keys that change together: each table is one axis.",
    ),
    "sweep.repeats": (
        f"an integer from 1 to {MOST_REPEATS}",
        "Number of seeds with which each point is run: run.seed and the numbers after it.",
    ),
    'sweep.SIZE."KEY"': (
        "a value of that key, or an array of values",
        f"Another size of the sweep for symlab paper: {', '.join(SIZES[:-1])} or {SIZES[-1]}.",
    ),
}

# Name, what fits, and meaning of each.
LAB_KEYS = [
    (name, fits, meaning)
    for table in (SWEEP, {f"figure.{key}": of for key, of in look.KEYS.items()})
    for name, (fits, meaning) in table.items()
]
