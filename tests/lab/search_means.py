# SPDX-License-Identifier: MIT
"""Mean numbers of queues examined (ALL section 3.5), exact, by other ways than Equation 3.1.

The model is that of symlab_papers/measures/searching.py. By symmetry, the mean is the same for one
thread and r processors, counted for the processor that finds it first.
"""

from fractions import Fraction
from functools import cache
from itertools import product


@cache
def expected(r: int, q: int) -> Fraction:
    """The mean of `equation` by another formula.

    It is the sum, over m = 0 .. q - 1, of the probability that m consecutive queues are empty.
    """
    return sum((Fraction(q - m, q) ** r for m in range(q)), Fraction(0))


def arrival(r: int, q: int, after: int) -> Fraction:
    """Mean number of queues examined if another thread arrives in a random queue meanwhile.

    It arrives when `after` queues have been examined. The search finds it only in a queue that it
    has not examined yet. It finds one of the first r threads at the latest.
    """
    total = Fraction(0)
    for m in range(q):
        new_missed = Fraction(q - max(m - after, 0), q)
        total += Fraction(q - m, q) ** r * new_missed
    return total


def both(r: int, q: int) -> Fraction:
    """Mean number of queues that two processors examine together until each has a thread.

    Both examine one queue per step, from independent random starts; r >= 2. If both reach a
    queue with one thread in the same step, one gets it and the other continues. Computed by
    enumeration of all placements.
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
