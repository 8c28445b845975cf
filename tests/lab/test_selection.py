# SPDX-License-Identifier: MIT
"""The selection study: each combination is judged on its own runs, with its own backoff lock."""

import pandas as pd
from symlab_tools.selection import OPTIONS, judged

COUNTER_S = {"backoff-1-64": lambda p: 10 + 0.02 * p + 0.8 * max(0, p - 11)}
COUNTER_S["backoff-1-16"] = lambda p: 10 + p
ARRIVAL_US = {"xchgb": lambda p: 8 + p, "read": lambda p: 16.0}
ARRIVAL_US |= {"backoff-1-64": lambda p: 15.0, "backoff-1-16": lambda p: 90.0}


def table(times: dict, result: str, arbiters: tuple[str, ...]) -> pd.DataFrame:
    """Runs of all locks of `times` under each arbiter option.

    elapsed_us is such that the time of an increment or barrier is that in `times`.
    """
    rows = [
        {"locked_request": arbiter, "locked_class": "same", "unlock": "cycle", "lock": lock,
         "processors": p, result: 100, "status": "finished",
         "elapsed_us": 100 * time(p) * (p if result == "rounds" else 1)}
        for arbiter in arbiters
        for lock, time in times.items()
        for p in range(1, 21)
    ]  # fmt: skip
    return pd.DataFrame(rows)


def test_each_combination_is_judged_by_its_own_runs_and_the_best_comes_first():
    slow = {**ARRIVAL_US, "xchgb": lambda p: 50.0}
    arrival = [
        table(ARRIVAL_US, "rounds", ("skip",)),
        table(slow, "rounds", ("hold-bus",)),
    ]
    found = judged(
        {
            "counter": table(COUNTER_S, "increments", ("skip", "hold-bus")),
            "arrival": pd.concat(arrival).assign(bus_utilisation=0.5),
        }
    )
    assert list(found.columns[:4]) == ["delays", *OPTIONS]
    assert list(zip(found["delays"], found["locked_request"], strict=True)) == [
        ("1-64", "skip"),
        ("1-64", "hold-bus"),
        ("1-16", "skip"),
        ("1-16", "hold-bus"),
    ]
    assert list(found["holding"]) == [5, 4, 1, 0]
    assert found["margin"].iloc[0] > 0
    assert list(found["ALL-52"]) == ["holds", "fails", "holds", "fails"]
    assert list(found["ALL-54"]) == ["holds", "holds", "fails", "fails"]
    assert list(found["ALL-45_value"].round(2)) == [1.02, 1.02, 1.82, 1.82]
