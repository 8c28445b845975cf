# SPDX-License-Identifier: MIT
"""ALL sections 4 and 5.1: each claim with a function holds, fails, is not run on made-up runs."""

import numpy as np
import pandas as pd
import pytest
from claim_cases import check_case, check_figure, figures_of, table
from symlab_papers.finding import found
from symlab_papers.papers.ALL.figures import all_4_2, all_5_1_demand

SPEEDS = {
    "read": lambda s: 1 - 2 / (s + 3),
    "xchgb": lambda s: 0.4,
    "backoff": lambda s: 0.95,
}


def section_runs(**doctored) -> pd.DataFrame:
    speeds = {**SPEEDS, **doctored}

    def row(processors, lock, work):
        section_us = 3.0 + 2 * work
        slower = 1.0 if processors == 1 else 1 / speeds[lock](section_us)
        return {
            "processors": processors,
            "lock": lock,
            "work": work,
            "elapsed_us": 1000 * section_us * slower,
            "lock_hold_us": 100 * section_us * slower,
            "lock_acquisitions": 100,
        }

    return table(row, (1, 8), SPEEDS, (0, 2, 5, 10, 40))


SLOWDOWNS = {
    "xchgb": lambda q: 0.01 * q,
    "backoff": lambda q: 0.001 * q,
    "read": lambda q: 0.001 * q**2,
}


def demand_runs(**doctored) -> pd.DataFrame:
    slowdowns = {**SLOWDOWNS, **doctored}

    def row(spinners, lock):
        elapsed_us = 1000 * (1 + slowdowns[lock](spinners))
        given = {"spinners": spinners, "lock": lock, "private": 4, "private_sections": 400}
        return {**given, "elapsed_us": elapsed_us}

    return table(row, range(16), SLOWDOWNS)


PROTOCOLS = ("write-through", "write-back", "write-update", "write-through-on-change", "none")


def protocol_runs(**doctored) -> pd.DataFrame:
    """Made-up runs. `doctored`: <column> -> its value by protocol, lock and P."""

    def row(processors, lock, protocol):
        factor = {"xchgb": 3.0, "read": 2.0, "backoff": 1.0}[lock]
        better = 0.8 if protocol == "write-through-on-change" else 1.0
        columns = {
            "elapsed_us": lambda protocol, lock, p: 1e3 * factor * better * (5 + p),
            "spin_read_transactions": lambda protocol, lock, p: (
                0 if protocol == "write-update" else 1e3 * p
            ),
            "spin_store_transactions": lambda protocol, lock, p: 0,
            "spin_locked_store_transactions": lambda protocol, lock, p: 1e3 * factor * p,
            "spin_fetch_transactions": lambda protocol, lock, p: 7,
            "bus_utilisation": lambda protocol, lock, p: 0.95,
        } | doctored
        values = {name: value(protocol, lock, processors) for name, value in columns.items()}
        given = {"processors": processors, "lock": lock, "protocol": protocol, "increments": 1000}
        return given | values

    return table(row, (1, 4, 8, 10, 12, 14, 16, 18, 20), ("xchgb", "read", "backoff"), PROTOCOLS)


COUNTERS = found("all-4.6")
CASES = [
    (all_4_2, "all_49", section_runs, {"read": lambda s: 0.9 - s / 200}, {"lock": "read"}, "read"),
    (all_4_2, "all_49", section_runs, {"read": lambda s: 0.8 + s / 1e3}, {"lock": "read"}, "read"),
    (all_4_2, "all_50", section_runs, {"xchgb": lambda s: s / 100}, {"lock": "xchgb"}, "xchgb"),
    (all_4_2, "all_50", section_runs, {"xchgb": lambda s: 0.99}, {"lock": "read"}, "read"),
    (all_4_2, "all_51", section_runs, {"backoff": lambda s: 1.06}, {"lock": "read"}, "read"),
    (all_5_1_demand, "all_70", demand_runs, {"xchgb": lambda q: q % 2}, {"spinners": 9}, "read"),
    (all_5_1_demand, "all_70", demand_runs, {"backoff": np.sqrt}, {"lock": "backoff"}, "backoff"),
    (all_5_1_demand, "all_70", demand_runs, {"read": np.sqrt}, {"lock": "read"}, "read at"),
    (
        all_5_1_demand,
        "all_70",
        demand_runs,
        {"read": lambda q: 0.1 * q + 0.001 * q**2, "backoff": lambda q: 0.1 * q + 0.002 * q**2},
        {"spinners": 3, "lock": "read"},
        "read at",
    ),
    (
        COUNTERS,
        "all_63",
        protocol_runs,
        {
            "elapsed_us": lambda p, lock, n: (
                1e3 * (4 if (p == "write-back") == (lock == "read") else 2)
            )
        },
        {"protocol": "write-back"},
        "write-back P=8",
    ),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[1])
def test_a_claim_holds_fails_and_is_not_run(case):
    check_case(case)


@pytest.mark.parametrize(("figure", "runs"), figures_of(CASES))
def test_every_claim_has_a_case_and_every_figure_draws(figure, runs):
    check_figure(figure, runs, CASES)


def test_relative_speed_is_plotted_over_the_section_on_one_processor():
    data = all_4_2.series(section_runs())
    first = data[data.lock == "read"].iloc[0]
    assert (first.section_us, first.relative_speed) == pytest.approx((3.0, 1 - 2 / 6))
