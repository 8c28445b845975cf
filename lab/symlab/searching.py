# SPDX-License-Identifier: MIT
"""Queues examined until a thread is found (ALL section 3.5): exactly, and in a run of searching.c.

r threads lie in q queues, each in any with equal chance; a processor begins at any and goes round.
By symmetry, the same for one thread and r processors, of whom the first finds it.
"""

from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path

from symlab.simulator import read_json


@cache
def equation(r: int, q: int) -> Fraction:
    """ALL Equation 3.1: the mean number of queues examined, the successful one included."""
    tail = sum(
        i * (q - i) ** (j - 1) * (q - i + 1) ** (r - j)
        for j in range(1, r + 1)
        for i in range(1, q)
    )
    return Fraction(q + tail, q**r) if r > 0 else Fraction(q)


@cache
def expected(r: int, q: int) -> Fraction:
    """The same as the sum of the chances that m queues in a row are empty, m = 0 .. q - 1."""
    return sum((Fraction(q - m, q) ** r for m in range(q)), Fraction(0))


def arrival(r: int, q: int, after: int) -> Fraction:
    """One more thread is put into any queue when `after` queues have been examined.

    It is found only where the search has not been yet, and at least one of the others will be.
    """
    total = Fraction(0)
    for m in range(q):
        new_missed = Fraction(q - max(m - after, 0), q)
        total += Fraction(q - m, q) ** r * new_missed
    return total


def both(r: int, q: int) -> Fraction:
    """Two processors search at the same time, a queue a step; together, until each has one.

    By enumeration of all places; r >= 2. If both come to a queue at once and one thread is there,
    the one that did not get it goes on.
    """
    total = 0
    for second, *places in product(range(q), repeat=r + 1):
        total += _examined_by_both([0, second], places, q)
    return Fraction(total, q ** (r + 1))


def _examined_by_both(at: list[int], places: list[int], q: int) -> int:
    left = list(places)
    searching, examined = list(at), 0
    while searching:
        still = []
        for place in searching:
            examined += 1
            if place in left:
                left.remove(place)
            else:
                still.append((place + 1) % q)
        searching = still
    return examined


def measure(folder: Path) -> dict[str, float]:
    """Queues examined in a run, by its stopwatch of that name."""
    locks = (read_json(folder / "summary.json") or {}).get("locks") or []
    return {"examined": sum(lock["attempts"] for lock in locks if lock["name"] == "examined")}
